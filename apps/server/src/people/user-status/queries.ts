import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

type AccountKey = Pick<Actor, 'organization_id' | 'user_id'>

export interface Status {
  is_away: boolean
  status_text: string
}

export const noStatus: Status = { is_away: false, status_text: '' }

export async function findStatus(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<Status | undefined> {
  return db
    .selectFrom('user_status')
    .select(['is_away', 'status_text'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

export async function upsertStatus(tx: Tx, owner: AccountKey, status: Status): Promise<void> {
  const { organization_id, user_id } = owner
  await tx
    .insertInto('user_status')
    .values({ organization_id, user_id, ...status })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(status))
    .execute()
}

export async function deleteStatuses(
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly UserId[],
): Promise<void> {
  await tx
    .deleteFrom('user_status')
    .where('organization_id', '=', organization_id)
    .where((eb) => eb('user_id', '=', eb.fn.any(eb.val([...users]))))
    .execute()
}

/**
 * Reads all statuses as JSON, keyed by user. PostgreSQL builds the JSON, because every user of the
 * organization may have a status. With `ids`, reads only theirs.
 */
export async function readStatusesAsJson(
  db: Db,
  organization_id: OrganizationId,
  ids?: readonly UserId[],
): Promise<string> {
  const isWanted = ids ? sql`user_id = any(${ids}::bigint[])` : sql`true`
  const { rows } = await sql<{ statuses: string }>`
    select coalesce(json_object_agg(user_id, json_strip_nulls(json_build_object(
      'away', case when is_away then true end, 'status_text', nullif(status_text, '')))), '{}')::text as statuses
    from user_status where organization_id = ${organization_id} and ${isWanted}`.execute(db)
  return rows[0]?.statuses ?? '{}'
}
