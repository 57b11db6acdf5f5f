import { type RawBuilder, sql } from 'kysely'
import { isUnread, joinOwn, type Reader } from '../visibility.ts'

/** Limits a query to ids of at least `since`, to one stream, and to one topic of the stream. */
export interface UnreadRange {
  since?: number
  stream?: number
  foldedTopic?: string
}

type Selection = RawBuilder<unknown>

const inRangeStream = ({ stream }: UnreadRange) =>
  stream === undefined ? sql`` : sql`and p.stream_id = ${stream}`
const inTopic = ({ foldedTopic }: UnreadRange) =>
  foldedTopic === undefined ? sql`` : sql`and m.folded_topic = ${foldedTopic}`

/**
 * Selects the reader's streams, each with the first id that may be unread and the last message with
 * a read mark. Looks up each subscription by its key: after somebody has joined thousands of streams,
 * and before PostgreSQL has new statistics, a join would compare every period with every subscription.
 */
const selectStreams = ({ organization_id, user_id }: Reader, range: UnreadRange): Selection => sql`
  select p.stream_id, greatest(p.from_message_id, s.read_to, setting.read_to, ${range.since ?? 0}) as since, (
    select mark.message_id from read_mark mark
    where mark.organization_id = ${organization_id} and mark.user_id = ${user_id} and mark.stream_id = p.stream_id
    order by mark.message_id desc limit 1) as last_marked
  from subscription_period p
  cross join lateral (
    select read_to from subscription own
    where own.organization_id = p.organization_id and own.user_id = p.user_id and own.stream_id = p.stream_id
    offset 0) as s
  join user_setting setting using (organization_id, user_id)
  where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.to_outbox_id is null ${inRangeStream(range)}
  offset 0`

/**
 * SQL condition on a row `m` of message that was sent to `sent_stream`: the message is above the
 * read positions and has no mark as read. A subquery looks up the mark by its key. A join would be
 * planned with an estimate of the number of marks, which differs by a factor of a hundred thousand
 * between accounts.
 */
const isAbovePositionsAndUnmarked = ({ organization_id, user_id }: Reader) => sql<boolean>`
  m.id >= sent_stream.since and (coalesce(m.id > sent_stream.last_marked, true) or not coalesce((
    select mark.is_read from read_mark mark
    where mark.organization_id = ${organization_id} and mark.user_id = ${user_id}
      and mark.stream_id = sent_stream.stream_id and mark.message_id = m.id), false))`

/**
 * Selects the ids of nearly all messages that can be unread, and few others, using only indexes.
 * messages/message-queries.md has an example of this query and the next two.
 */
export const selectCandidateIds = (reader: Reader, range: UnreadRange = {}): Selection => sql`
  select found.id from (${selectStreams(reader, range)}) as sent_stream cross join lateral (
    select m.id from message m
    where m.organization_id = ${reader.organization_id} and m.sent_recipient_id = sent_stream.stream_id
      and ${isAbovePositionsAndUnmarked(reader)}
    order by m.id desc
  ) as found
  union all ${selectUnreadPrivate(reader, range)}`

/**
 * Selects `columns` of unread messages that are in the stream they were sent to. Evaluates
 * `isUnread` only for messages that were moved: for the others it would give the same result and
 * take three times as long. For stream messages, `isUnread` does not read the reader's row `own`.
 */
export const selectUnreadWhereSent = (
  reader: Reader,
  columns: RawBuilder<unknown>,
  range: UnreadRange = {},
): Selection => sql`
  select found.* from (${selectStreams(reader, range)}) as sent_stream cross join lateral (
    select ${columns} from message m left join user_message own on false
    where m.organization_id = ${reader.organization_id} and m.recipient_id = m.sent_recipient_id
      and ${range.foldedTopic === undefined ? sql`m.sent_recipient_id` : sql`m.recipient_id`} = sent_stream.stream_id
      ${inTopic(range)} and ${isAbovePositionsAndUnmarked(reader)} and (m.arrived_id = m.id or ${isUnread(reader)})
    offset 0
  ) as found`

/**
 * Selects `columns` of all other unread messages: messages marked unread below the read positions,
 * messages moved into one of the reader's streams, and, if the range has no stream, private
 * messages. The result may overlap with `selectUnreadWhereSent`.
 */
export const selectUnreadElsewhere = (
  reader: Reader,
  columns: RawBuilder<unknown>,
  range: UnreadRange = {},
): Selection => sql`
  select found.* from (
    ${selectMarkedUnread(reader, range)} union ${selectMovedHere(reader, range)}
    ${range.stream === undefined ? sql`union ${selectUnreadPrivate(reader, range)}` : sql``}
  ) as candidate
  cross join lateral (
    select ${columns} from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.id = candidate.id and ${isUnread(reader)}
      ${range.stream === undefined ? sql`` : sql`and m.recipient_id = ${range.stream}`} ${inTopic(range)}
    offset 0
  ) as found`

const selectMarkedUnread = (
  { organization_id, user_id }: Reader,
  { since = 0 }: UnreadRange,
): Selection => sql`
  select message_id as id from read_mark
  where organization_id = ${organization_id} and user_id = ${user_id} and not is_read and message_id >= ${since}`

const selectMovedHere = ({ organization_id, user_id }: Reader, range: UnreadRange): Selection => sql`
  select found.id from subscription_period p cross join lateral (
    select m.id from message m
    where m.organization_id = ${organization_id} and m.recipient_id = p.stream_id
      and m.recipient_id <> m.sent_recipient_id and m.arrived_id >= p.from_message_id and m.id >= ${range.since ?? 0}
    order by m.id desc
  ) as found
  where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.to_outbox_id is null ${inRangeStream(range)}`

const selectUnreadPrivate = (
  { organization_id, user_id }: Reader,
  { since = 0 }: UnreadRange,
): Selection => sql`
  select message_id as id from user_message
  where organization_id = ${organization_id} and user_id = ${user_id} and is_unread and message_id >= ${since}`
