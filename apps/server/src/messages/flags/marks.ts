import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import type { ReadState } from './lock-read-state.ts'

/** A stream message with the stream that it was sent to. */
export interface SentMessage {
  id: number
  sent_recipient_id: number
}

/**
 * Marks unread stream messages as read. The database function also advances read positions over
 * read messages, a limited number at a time and never past the horizon, so that read marks do not
 * accumulate.
 */
export async function markRead(
  tx: Tx,
  { organization_id, user_id }: Reader,
  { readTo, settledTo }: ReadState,
  messages: readonly SentMessage[],
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    select mark_read(
      ${organization_id}, ${user_id}, ${readTo}, ${settledTo},
      ${messages.map(({ sent_recipient_id }) => sent_recipient_id)}, ${messages.map(({ id }) => id)})`.execute(
    tx,
  )
}

/**
 * Marks read stream messages as unread. Messages above the read positions lose their read mark;
 * messages below them get one.
 */
export async function markUnread(
  tx: Tx,
  { organization_id, user_id }: Reader,
  { readTo }: ReadState,
  messages: readonly SentMessage[],
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    with marked as materialized (
      select s.stream_id, given.message_id, given.message_id < greatest(s.read_to, ${readTo}) as is_below
      from unnest(
        ${messages.map(({ sent_recipient_id }) => sent_recipient_id)}::bigint[],
        ${messages.map(({ id }) => id)}::bigint[]
      ) as given (stream_id, message_id)
      join subscription s on s.organization_id = ${organization_id} and s.user_id = ${user_id}
        and s.stream_id = given.stream_id
    ),
    undone as (
      delete from read_mark mark using marked
      where mark.organization_id = ${organization_id} and mark.user_id = ${user_id}
        and mark.stream_id = marked.stream_id and mark.message_id = marked.message_id and not marked.is_below
    )
    insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
    select ${organization_id}, ${user_id}, stream_id, message_id, false from marked where is_below
    on conflict (organization_id, user_id, stream_id, message_id) do update set is_read = false
      where read_mark.is_read`.execute(tx)
}

export async function markPrivate(
  tx: Tx,
  { organization_id, user_id }: Reader,
  ids: readonly number[],
  isUnread: boolean,
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update user_message set is_unread = ${isUnread}
    where organization_id = ${organization_id} and user_id = ${user_id} and message_id = any(${ids}::bigint[])
      and is_private and is_unread <> ${isUnread}`.execute(tx)
}
