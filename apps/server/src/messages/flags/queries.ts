import type { MessageId, StreamId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { canBeUnread, isReadable, isReceived, isUnread, joinOwn, type Reader } from '../visibility.ts'

/** A message that the account received, with its read state. */
export interface ReceivedMessage {
  id: MessageId
  is_private: boolean
  sent_recipient_id: number
  is_unread: boolean
}

/**
 * SQL query of the distinct ids. The most common case, a single id, has its own statement, which
 * PostgreSQL plans only once.
 */
const selectIds = (ids: readonly number[]) =>
  ids.length === 1
    ? sql`select ${ids[0]}::bigint as id`
    : sql`select distinct id from unnest(${ids}::bigint[]) as given (id)`

/** Filters `ids` to messages that the account received, without duplicates. */
export async function listReceived(
  db: Db,
  reader: Reader,
  ids: readonly number[],
): Promise<ReceivedMessage[]> {
  const { rows } = await sql<ReceivedMessage>`
    select found.* from (${selectIds(ids)}) as asked cross join lateral (
      select m.id, m.is_private, m.sent_recipient_id, ${isUnread(reader)} as is_unread
      from message m ${joinOwn(reader)}
      where m.organization_id = ${reader.organization_id} and m.id = asked.id and ${isReceived(reader)}
      offset 0
    ) as found`.execute(db)
  return rows
}

/** A received message with the fields that the event about unread messages contains. */
export interface ReceivedMessageDetails extends ReceivedMessage {
  /**
   * False if the account left a stream that the message was in. Such a message cannot become
   * unread.
   */
  can_be_unread: boolean
  /** The message's stream; null for private messages, for which `members` is set. */
  stream_id: StreamId | null
  topic: string
  members: UserId[] | null
  sender_id: UserId
  is_mentioned: boolean
  mentions_wildcard: boolean
}

/** Like `listReceived`, but with the details for the event about messages that become unread. */
export async function listReceivedWithDetails(
  db: Db,
  reader: Reader,
  ids: readonly number[],
): Promise<ReceivedMessageDetails[]> {
  const { rows } = await sql<ReceivedMessageDetails>`
    select found.* from (${selectIds(ids)}) as asked cross join lateral (
      select m.id, m.is_private, m.sent_recipient_id, ${isUnread(reader)} as is_unread,
        m.is_private or ${canBeUnread(reader)} as can_be_unread,
        case when not m.is_private then m.recipient_id end as stream_id, m.topic, (
          select conversation.members from conversation
          where m.is_private and conversation.organization_id = m.organization_id and conversation.id = m.recipient_id
        ) as members, m.sender_id,
        coalesce(own.is_mentioned, false) as is_mentioned, m.mentions_wildcard
      from message m ${joinOwn(reader)}
      where m.organization_id = ${reader.organization_id} and m.id = asked.id and ${isReceived(reader)}
      offset 0
    ) as found`.execute(db)
  return rows
}

export type OwnFlag = 'is_starred' | 'is_collapsed'

/**
 * Prevents these messages from being moved or deleted until the transaction ends, so that the event
 * about them stays correct.
 */
export async function lockMessages(
  tx: Tx,
  { organization_id }: Reader,
  ids: readonly number[],
): Promise<void> {
  await sql`
    select from message where organization_id = ${organization_id} and id = any(${ids}::bigint[])
    order by id for share`.execute(tx)
}

/**
 * Sets a flag on received messages. Locks the messages against deletion, so that no row outlives
 * its message. Returns the ids of messages that still exist.
 */
export async function setFlag(
  tx: Tx,
  { organization_id, user_id }: Reader,
  ids: readonly number[],
  flag: OwnFlag,
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    with there as materialized (
      select m.id from message m
      where m.organization_id = ${organization_id} and m.id = any(${ids}::bigint[])
      order by m.id for key share
    ), flagged as (
      insert into user_message as own (organization_id, user_id, message_id, is_private, ${sql.ref(flag)})
      select ${organization_id}, ${user_id}, id, false, true from there
      on conflict (organization_id, user_id, message_id) do update set ${sql.ref(flag)} = true
        where not ${sql.ref(`own.${flag}`)}
    )
    select id from there`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Stars a message that the account may read but did not receive. From then on the message counts as
 * received. Waits for an edit in progress, as `insertHistoricalRow` does. Returns false if the account
 * may not read the message.
 */
export async function starUnreceived(tx: Tx, reader: Reader, id: number): Promise<boolean> {
  const { organization_id, user_id } = reader
  const { rows } = await sql`
    insert into user_message (organization_id, user_id, message_id, is_private, is_starred, is_historical)
    select ${organization_id}, ${user_id}, m.id, false, true, true
    from message m ${joinOwn(reader)}
    where m.organization_id = ${organization_id} and m.id = ${id} and ${isReadable(reader)}
    for share of m
    on conflict (organization_id, user_id, message_id) do update set is_starred = true
    returning message_id`.execute(tx)
  return rows.length > 0
}

export async function canRead(db: Db, reader: Reader, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.id = ${id} and ${isReadable(reader)}`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Clears a flag and deletes rows that have no other flag. Rows of private messages stay, because
 * they record the delivery. The rows are found by arrays of ids: a join of rows that PostgreSQL has no
 * statistics about yet would compare each with all others.
 */
export async function unsetFlag(
  tx: Tx,
  { organization_id, user_id }: Reader,
  ids: readonly number[],
  flag: OwnFlag,
): Promise<void> {
  const other = flag === 'is_starred' ? sql.ref('own.is_collapsed') : sql.ref('own.is_starred')
  await sql`
    with flagged as materialized (
      select own.message_id, own.is_private or own.is_mentioned or own.has_alert_word or own.is_historical or ${other}
        as says_more
      from user_message own
      where own.organization_id = ${organization_id} and own.user_id = ${user_id}
        and own.message_id = any(${ids}::bigint[]) and ${sql.ref(`own.${flag}`)}
      for update
    ), emptied as (
      delete from user_message
      where organization_id = ${organization_id} and user_id = ${user_id}
        and message_id = any (array(select message_id from flagged where not says_more))
    )
    update user_message set ${sql.ref(flag)} = false
    where organization_id = ${organization_id} and user_id = ${user_id}
      and message_id = any (array(select message_id from flagged where says_more))`.execute(tx)
}
