import { ApiError, type DefaultStreamGroupId, type OrganizationId, type StreamId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { DefaultStreamGroupRow, StreamRow, Tables } from '../../platform/database/tables.ts'
import { orderByName } from '../queries.ts'

export async function listDefaultStreams(db: Db, organization_id: OrganizationId): Promise<StreamRow[]> {
  return db
    .selectFrom('default_stream')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'default_stream.organization_id')
        .onRef('stream.id', '=', 'default_stream.stream_id'),
    )
    .selectAll('stream')
    .where('default_stream.organization_id', '=', organization_id)
    .orderBy(orderByName)
    .execute()
}

export interface GroupWithStreams extends DefaultStreamGroupRow {
  streams: StreamRow[]
}

export async function listDefaultGroups(
  db: Db,
  organization_id: OrganizationId,
): Promise<GroupWithStreams[]> {
  const groups = await db
    .selectFrom('default_stream_group')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy(sql`name collate "C"`)
    .execute()
  const streams = await db
    .selectFrom('default_stream_group_stream as member')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'member.organization_id')
        .onRef('stream.id', '=', 'member.stream_id'),
    )
    .select('member.group_id')
    .selectAll('stream')
    .where('member.organization_id', '=', organization_id)
    .orderBy(orderByName)
    .execute()
  const byGroup = Map.groupBy(streams, ({ group_id }) => group_id)
  return groups.map((group) => ({ ...group, streams: byGroup.get(group.id) ?? [] }))
}

/** Returns false if the stream was already a default stream. */
export async function insertDefaultStream(
  tx: Tx,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('default_stream')
    .values({ organization_id, stream_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

export async function deleteDefaultStream(
  tx: Tx,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('default_stream')
    .where('organization_id', '=', organization_id)
    .where('stream_id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function insertDefaultGroup(
  tx: Tx,
  values: Insertable<Tables['default_stream_group']>,
): Promise<DefaultStreamGroupRow> {
  return tx
    .insertInto('default_stream_group')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => refuseTakenName(error, values.name))
}

export async function updateDefaultGroup(
  tx: Tx,
  { organization_id, id }: DefaultStreamGroupRow,
  values: Updateable<Tables['default_stream_group']>,
): Promise<void> {
  await tx
    .updateTable('default_stream_group')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => refuseTakenName(error, String(values.name)))
}

function refuseTakenName(error: unknown, name: string): never {
  if (violatedConstraint(error) === 'default_stream_group_name_key')
    throw new ApiError('DEFAULT_GROUP_EXISTS', { name })
  throw error
}

export async function deleteDefaultGroup(
  tx: Tx,
  { organization_id, id }: DefaultStreamGroupRow,
): Promise<void> {
  await tx
    .deleteFrom('default_stream_group')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function findDefaultGroup(
  db: Db,
  organization_id: OrganizationId,
  id: DefaultStreamGroupId,
): Promise<DefaultStreamGroupRow | undefined> {
  return db
    .selectFrom('default_stream_group')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertGroupStreams(
  tx: Tx,
  { organization_id, id }: DefaultStreamGroupRow,
  streams: readonly StreamId[],
): Promise<void> {
  if (streams.length === 0) return
  await tx
    .insertInto('default_stream_group_stream')
    .values(streams.map((stream_id) => ({ organization_id, group_id: id, stream_id })))
    .execute()
}

export async function deleteGroupStreams(
  tx: Tx,
  { organization_id, id }: DefaultStreamGroupRow,
  streams: readonly StreamId[],
): Promise<void> {
  await tx
    .deleteFrom('default_stream_group_stream')
    .where('organization_id', '=', organization_id)
    .where('group_id', '=', id)
    .where((eb) => eb('stream_id', '=', eb.fn.any(eb.val([...streams]))))
    .execute()
}

/** Removes a stream from all groups. Returns whether it was in one. */
export async function deleteStreamFromGroups(
  tx: Tx,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('default_stream_group_stream')
    .where('organization_id', '=', organization_id)
    .where('stream_id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns which lists of default streams contain a stream. */
export async function findDefaultLists(
  db: Db,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
): Promise<{ isDefault: boolean; isInGroup: boolean }> {
  const { rows } = await sql<{ isDefault: boolean; isInGroup: boolean }>`
    select
      exists (select from default_stream d
        where d.organization_id = ${organization_id} and d.stream_id = ${id}) as "isDefault",
      exists (select from default_stream_group_stream g
        where g.organization_id = ${organization_id} and g.stream_id = ${id}) as "isInGroup"`.execute(db)
  return rows[0] ?? { isDefault: false, isInGroup: false }
}
