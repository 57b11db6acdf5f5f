import type { UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'

type AccountKey = Pick<Reader, 'organization_id' | 'user_id'>

/** Lists the users whom an account muted, in the order in which it did. */
export async function listMutedUsers(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<{ id: UserId; timestamp: number }[]> {
  const { rows } = await sql<{ id: UserId; timestamp: number }>`
    select muted_user_id as id, floor(extract(epoch from muted_at))::bigint as timestamp from muted_user
    where organization_id = ${organization_id} and user_id = ${user_id}
    order by muted_at, muted_user_id`.execute(db)
  return rows
}

export async function isAccount(db: Db, { organization_id }: AccountKey, id: UserId): Promise<boolean> {
  const found = await db
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns false if the user is already muted. */
export async function insertMutedUser(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  id: UserId,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('muted_user')
    .values({ organization_id, user_id, muted_user_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns false if the user was not muted. */
export async function deleteMutedUser(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  id: UserId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('muted_user')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('muted_user_id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
