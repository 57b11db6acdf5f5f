import { ApiError, type StreamSection } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

type Owner = Pick<Actor, 'organization_id' | 'user_id'>

/** Lists the sections that an account arranged, in its order. */
export async function listSections(db: Db, { organization_id, user_id }: Owner): Promise<StreamSection[]> {
  const { rows } = await sql<{ section: StreamSection }>`
    select json_strip_nulls(json_build_object(
      'kind', kind, 'name', name, 'folder_id', folder_id, 'stream_ids', stream_ids)) as section
    from stream_section
    where organization_id = ${organization_id} and user_id = ${user_id}
    order by position`.execute(db)
  return rows.map(({ section }) => section)
}

/** Replaces the sections of an account. The settings of the account must be locked. */
export async function replaceSections(
  tx: Tx,
  { organization_id, user_id }: Owner,
  sections: readonly StreamSection[],
): Promise<void> {
  await sql`
    delete from stream_section where organization_id = ${organization_id} and user_id = ${user_id}`.execute(
    tx,
  )
  await sql`
    insert into stream_section (organization_id, user_id, position, kind, name, folder_id, stream_ids)
    select ${organization_id}, ${user_id}, ordinal, kind, name, folder_id, stream_ids
    from rows from (
      json_to_recordset(${JSON.stringify(sections)}) as (kind text, name text, folder_id bigint, stream_ids bigint[])
    ) with ordinality as given (kind, name, folder_id, stream_ids, ordinal)`
    .execute(tx)
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'stream_section_folder_fkey')
        throw new ApiError('STREAM_FOLDER_INVALID')
      throw error
    })
}
