import { type Generation, type OrganizationId, Role, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { isHistoryReadable } from '../streams/history.ts'

/** The account whose visibility is evaluated. */
export interface Reader {
  organization_id: OrganizationId
  user_id: UserId
  role: Role
  /** The generation of the program that reads; the default one if absent. */
  generation?: Generation
}

/**
 * Used instead of a `Reader` to evaluate visibility for many accounts at once. Each account is a
 * row `u` of user_account. Queries must join the read state with `joinReadStateOfEach`, because
 * looking it up for each row would take ten times as long for a hundred thousand accounts.
 */
export const eachAccount = {
  user_id: sql<UserId>`u.id`,
  isGuest: sql<boolean>`u.role = ${sql.lit(Role.guest)}`,
}

type AnyReader = Reader | typeof eachAccount
type ReaderId = Pick<Reader, 'user_id'> | Pick<typeof eachAccount, 'user_id'>

/**
 * Joins the reader's row of user_message as `own`, which is null if there is none. The conditions
 * in this file apply to a row `m` of message and to `own`. They decide who may see a message and
 * for whom it is unread. All queries that show, change or count messages are built from them. See
 * the example in messages/message-queries.md.
 */
export const joinOwn = ({ user_id }: AnyReader): RawBuilder<unknown> => sql`
  left join user_message own
    on own.organization_id = m.organization_id and own.user_id = ${user_id} and own.message_id = m.id`

/**
 * Like `joinOwn`, but looks up one row at a time. For queries with few rows that PostgreSQL would
 * plan for many rows.
 */
export const joinOwnLateral = ({ user_id }: Reader): RawBuilder<unknown> => sql`
  left join lateral (
    select * from user_message note
    where note.organization_id = m.organization_id and note.user_id = ${user_id} and note.message_id = m.id
    offset 0
  ) as own on true`

/** Joins the tables that `isUnread` reads when it is evaluated for `eachAccount`. */
export const joinReadStateOfEach: RawBuilder<unknown> = sql`
  ${joinOwn(eachAccount)}
  left join subscription_period here
    on here.organization_id = m.organization_id and here.user_id = u.id and here.stream_id = m.recipient_id
      and here.to_outbox_id is null
  left join read_mark mark
    on mark.organization_id = m.organization_id and mark.user_id = u.id and mark.stream_id = m.sent_recipient_id
      and mark.message_id = m.id
  left join subscription sent
    on sent.organization_id = m.organization_id and sent.user_id = u.id and sent.stream_id = m.sent_recipient_id
  left join user_setting setting
    on setting.organization_id = m.organization_id and setting.user_id = u.id`

const isMoved = sql<boolean>`m.recipient_id <> m.sent_recipient_id`

/** The reader was subscribed to the stream when the message was sent there. */
export const wasSubscribedWhenSent = ({ user_id }: ReaderId): RawBuilder<boolean> => sql<boolean>`exists (
  select from subscription_period p
  where p.organization_id = m.organization_id and p.user_id = ${user_id} and p.stream_id = m.sent_recipient_id
    and p.from_message_id <= m.id and (p.to_message_id is null or p.to_message_id > m.id))`

/**
 * A guest sees only messages of streams that they are or were subscribed to, because a message
 * reveals the name of its stream.
 */
function canSeeStream(reader: AnyReader): RawBuilder<boolean> {
  if ('role' in reader && reader.role !== Role.guest) return sql`true`
  const isVisibleToGuest = sql<boolean>`(not ${isMoved} or exists (
    select from subscription s
    where s.organization_id = m.organization_id and s.user_id = ${reader.user_id} and s.stream_id = m.recipient_id))`
  return 'role' in reader ? isVisibleToGuest : sql`(not ${reader.isGuest} or ${isVisibleToGuest})`
}

const isGuest = (reader: AnyReader): RawBuilder<boolean> =>
  'role' in reader ? sql`${sql.lit(reader.role === Role.guest)}` : reader.isGuest

/** The message is in a public stream, and the reader is not a guest. */
const isInPublicStream = (
  reader: AnyReader,
): RawBuilder<boolean> => sql<boolean>`(not ${isGuest(reader)} and exists (
  select from stream current_stream
  where current_stream.organization_id = m.organization_id and current_stream.id = m.recipient_id and not current_stream.invite_only))`

/**
 * The message's stream is archived, and the reader was subscribed until then: no subscription
 * period of the stream ended later than the reader's.
 */
const wasSubscribedWhenArchived = ({ user_id }: AnyReader): RawBuilder<boolean> => sql<boolean>`exists (
  select from stream current_stream
  join subscription_period last
    on last.organization_id = current_stream.organization_id and last.stream_id = current_stream.id and last.user_id = ${user_id}
  where current_stream.organization_id = m.organization_id and current_stream.id = m.recipient_id and current_stream.archived_at is not null
    and not exists (
      select from subscription_period later
      where later.organization_id = last.organization_id and later.stream_id = last.stream_id
        and later.to_outbox_id > last.to_outbox_id))`

/**
 * The message has not changed since the reader last had access to its stream, so the reader may
 * still read it. A change never hides a message from accounts that can reach its stream
 * (`canReachStream`), because they could make it too. The first check is the cheapest, as most
 * messages never change.
 */
export const isUnchangedSinceAccess = (reader: AnyReader): RawBuilder<boolean> => sql<boolean>`
  (m.changed_id is null or m.is_private or exists (
    select from subscription_period p
    where p.organization_id = m.organization_id and p.user_id = ${reader.user_id} and p.stream_id = m.recipient_id
      and (p.to_message_id is null or p.to_message_id > m.changed_id))
    or ${isInPublicStream(reader)} or ${wasSubscribedWhenArchived(reader)})`

/**
 * The reader is subscribed to the message's stream, could join it, or was subscribed when it was
 * archived. Every change to a message requires this in addition to read access.
 */
export const canReachStream = (reader: AnyReader): RawBuilder<boolean> => sql<boolean>`
  (m.is_private or exists (
    select from subscription here
    where here.organization_id = m.organization_id and here.user_id = ${reader.user_id}
      and here.stream_id = m.recipient_id and here.is_active) or ${isInPublicStream(reader)} or ${wasSubscribedWhenArchived(reader)})`

/**
 * The reader may see the submessage `s` of a readable message: it was sent with the message, or the
 * reader can reach the stream now, or was still subscribed when the submessage was added.
 * Submessages and messages get their ids from one sequence, so the ids can be compared.
 */
export const canSeeSubmessage = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (s.id < m.id or ${canReachStream(reader)} or exists (
    select from subscription_period p
    where p.organization_id = m.organization_id and p.user_id = ${reader.user_id} and p.stream_id = m.recipient_id
      and p.to_message_id > s.id))`

/** The message was delivered to the reader when it was sent. */
export const isDelivered = (reader: AnyReader): RawBuilder<boolean> => sql<boolean>`
  case when m.is_private then own.user_id is not null else ${wasSubscribedWhenSent(reader)} and ${canSeeStream(reader)} end`

/**
 * The reader has the message regardless of current subscriptions: it was delivered to the reader,
 * or the reader starred it or reacted to it. If the reader can no longer reach the stream, this
 * applies only until the message changes.
 */
export const isReceived = (reader: AnyReader): RawBuilder<boolean> => sql<boolean>`
  ((own.user_id is not null or (not m.is_private and ${wasSubscribedWhenSent(reader)} and ${canSeeStream(reader)}))
    and ${isUnchangedSinceAccess(reader)})`

/**
 * The reader may read all messages of the stream, including those sent before the reader
 * subscribed.
 */
const isInSharedHistory = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (not m.is_private and exists (
    select from stream s
    where s.organization_id = m.organization_id and s.id = m.recipient_id and ${isHistoryReadable(reader)}))`

/** The reader may read the message. */
export const isReadable = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (${isReceived(reader)} or ${isInSharedHistory(reader)})`

/**
 * A cheap approximation of `isReadable`: true for every readable message and false for most others.
 * The reader has a row for the message, or was ever subscribed to its current or original stream,
 * or its stream is public. Speeds up checks of many messages of which few or none are readable.
 */
export const mayBeReadable = ({
  organization_id,
  user_id,
  role,
}: Reader): RawBuilder<boolean> => sql<boolean>`
  (own.user_id is not null or not m.is_private and (
    m.sent_recipient_id in (
      select stream_id from subscription_period where organization_id = ${organization_id} and user_id = ${user_id})
    or m.recipient_id in (
      select stream_id from subscription where organization_id = ${organization_id} and user_id = ${user_id})
    or ${role !== Role.guest} and m.recipient_id in (
      select id from stream where organization_id = ${organization_id} and not invite_only)))`

/**
 * The message is read according to read marks and read positions. Does not check whether the
 * message was ever unread for the reader.
 */
function isMarkedRead(reader: AnyReader): RawBuilder<boolean> {
  const { user_id } = reader
  if (!('role' in reader))
    return isReadByMarkOrPosition(sql`mark.is_read`, sql`sent.read_to`, sql`setting.read_to`)
  return isReadByMarkOrPosition(
    sql`(select mark.is_read from read_mark mark
      where mark.organization_id = m.organization_id and mark.user_id = ${user_id}
        and mark.stream_id = m.sent_recipient_id and mark.message_id = m.id)`,
    sql`(select s.read_to from subscription s
      where s.organization_id = m.organization_id and s.user_id = ${user_id} and s.stream_id = m.sent_recipient_id)`,
    sql`(select setting.read_to from user_setting setting
      where setting.organization_id = m.organization_id and setting.user_id = ${user_id})`,
  )
}

const isReadByMarkOrPosition = (mark: RawBuilder<unknown>, ...positions: RawBuilder<unknown>[]) =>
  sql<boolean>`coalesce(${mark}, m.id < greatest(${sql.join(positions)}))`

/**
 * The reader has been subscribed without interruption since the message arrived in its current
 * stream. A message in its original stream counts as arrived when it was sent, even if it was moved
 * away and back. So all unread messages that were sent to a stream have ids above the start of the
 * subscription period.
 */
function isSubscribedSinceArrival(reader: AnyReader): RawBuilder<boolean> {
  const isSince = sql<boolean>`here.from_message_id <= case when ${isMoved} then m.arrived_id else m.id end`
  if (!('role' in reader)) return sql`coalesce(${isSince}, false)`
  return sql`exists (
    select from subscription_period here
    where here.organization_id = m.organization_id and here.user_id = ${reader.user_id}
      and here.stream_id = m.recipient_id and here.to_message_id is null and ${isSince})`
}

/**
 * The reader was subscribed to each earlier stream of the message for as long as the message was
 * there. For other readers a moved message is read.
 */
const wasSubscribedThroughoutMoves = ({
  user_id,
}: AnyReader) => sql<boolean>`(m.arrived_id = m.id or not exists (
  select from message_stay stay
  where stay.organization_id = m.organization_id and stay.message_id = m.id and not exists (
    select from subscription_period p
    where p.organization_id = m.organization_id and p.user_id = ${user_id} and p.stream_id = stay.stream_id
      and p.from_message_id <= stay.from_id and (p.to_message_id is null or p.to_message_id > stay.to_id))))`

/**
 * The stream message was delivered to the reader, and the reader was subscribed to each of its
 * streams for as long as the message was there. Leaving a stream marks its messages as read.
 */
export const canBeUnread = (reader: AnyReader): RawBuilder<boolean> => sql<boolean>`
  (${isSubscribedSinceArrival(reader)} and ${wasSubscribedThroughoutMoves(reader)})`

export const isUnread = (reader: AnyReader): RawBuilder<boolean> => sql<boolean>`
  case when m.is_private then coalesce(own.is_unread, false)
    else ${canBeUnread(reader)} and not ${isMarkedRead(reader)} end`
