import { type MessageId, type OrganizationId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

/** A move of messages from one stream to another. */
export interface Move {
  organization_id: OrganizationId
  from: StreamId
  to: StreamId
}

export interface LosingGuest {
  id: UserId
  /** False if the guest left the old stream, but still has a `user_message` row for a message. */
  is_subscribed: boolean
}

/**
 * Lists guests who are not subscribed to the new stream, and are subscribed to the old one or have a
 * `user_message` row for one of these messages.
 */
export async function listGuestsLosingAccess(
  db: Db,
  { organization_id, from, to }: Move,
  messages: readonly MessageId[],
): Promise<LosingGuest[]> {
  const { rows } = await sql<LosingGuest>`
    select u.id, bool_or(reader.is_subscribed) as is_subscribed
    from (
      select user_id, true as is_subscribed from subscription
      where organization_id = ${organization_id} and stream_id = ${from} and is_active
      union all
      select user_id, false from user_message
      where organization_id = ${organization_id} and message_id = any(${messages}::bigint[])
    ) as reader
    join user_account u on u.organization_id = ${organization_id} and u.id = reader.user_id
    where u.role = ${Role.guest} and not exists (
      select from subscription s
      where s.organization_id = ${organization_id} and s.user_id = u.id and s.stream_id = ${to} and s.is_active)
    group by u.id order by u.id`.execute(db)
  return rows
}

/**
 * Lists guests who are subscribed to the new stream, and must not learn the name and topic that the
 * messages have in the old stream, because they are not subscribed to it.
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
        where s.organization_id = ${organization_id} and s.user_id = u.id and s.stream_id = ${from} and s.is_active)
    order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the users' `user_message` rows for messages that these users can no longer see. Returns
 * the messages that they had starred, by user.
 */
export async function deleteUserMessages(
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly UserId[],
  messages: readonly MessageId[],
): Promise<Map<UserId, MessageId[]>> {
  const { rows } = await sql<{ user_id: UserId; message_id: MessageId; is_starred: boolean }>`
    delete from user_message
    where organization_id = ${organization_id} and user_id = any(${users}::bigint[])
      and message_id = any(${messages}::bigint[])
    returning user_id, message_id, is_starred`.execute(tx)
  const starred = Map.groupBy(
    rows.filter(({ is_starred }) => is_starred),
    ({ user_id }) => user_id,
  )
  return new Map([...starred].map(([user, own]) => [user, own.map(({ message_id }) => message_id)]))
}
