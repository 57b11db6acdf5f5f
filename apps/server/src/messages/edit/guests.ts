import { type MessageId, type OrganizationId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

/** A move of messages from one stream to another. */
export interface Move {
  organization_id: OrganizationId
  from: StreamId
  to: StreamId
}

/**
 * Lists guests who could read these messages in the old stream and never subscribed to the new one.
 */
export async function listGuestsLosingAccess(
  db: Db,
  { organization_id, from, to }: Move,
  messages: readonly MessageId[],
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id
    from (
      select user_id from subscription
      where organization_id = ${organization_id} and stream_id = ${from} and is_active
      union
      select user_id from user_message
      where organization_id = ${organization_id} and message_id = any(${messages}::bigint[])
      union
      -- A reaction stays after its author loses access, so the guest must also have been subscribed
      -- to the old stream.
      select r.user_id
      from reaction r
      join subscription s on s.organization_id = r.organization_id and s.user_id = r.user_id and s.stream_id = ${from}
      where r.organization_id = ${organization_id} and r.message_id = any(${messages}::bigint[])
    ) as reader
    join user_account u on u.organization_id = ${organization_id} and u.id = reader.user_id
    where u.role = ${Role.guest} and not exists (
      select from subscription s
      where s.organization_id = ${organization_id} and s.user_id = u.id and s.stream_id = ${to})
    order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Lists guests who are subscribed to the new stream and must not learn the name of the old stream.
 */
export async function listGuestsWithoutOldStream(
  db: Db,
  { organization_id, from, to }: Move,
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id
    from subscription own
    join user_account u on u.organization_id = own.organization_id and u.id = own.user_id
    where own.organization_id = ${organization_id} and own.stream_id = ${to} and own.is_active
      and u.role = ${Role.guest} and not exists (
        select from subscription s
        where s.organization_id = ${organization_id} and s.user_id = u.id and s.stream_id = ${from})
    order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes the users' `user_message` rows for messages that these users can no longer see. */
export async function deleteUserMessages(
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly UserId[],
  messages: readonly MessageId[],
): Promise<void> {
  if (users.length === 0) return
  await sql`
    delete from user_message
    where organization_id = ${organization_id} and user_id = any(${users}::bigint[])
      and message_id = any(${messages}::bigint[])`.execute(tx)
}
