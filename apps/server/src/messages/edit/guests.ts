import { type MessageId, type OrganizationId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

/** A move between streams, as far as those are concerned who know only some of them. */
export interface Move {
  organization_id: OrganizationId
  from: StreamId
  to: StreamId
}

/** Guests who could read these messages where they were, and never were where they are now. */
export async function listGuestsWhoLose(
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
      -- A reaction also stays when they lose sight of the message, so they must know the place.
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

/** Guests who are where these messages are now, and must not hear the name of where they came from. */
export async function listGuestsWhoGain(db: Db, { organization_id, from, to }: Move): Promise<UserId[]> {
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

/** What they had of messages that they no longer see. */
export async function deleteNotes(
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
