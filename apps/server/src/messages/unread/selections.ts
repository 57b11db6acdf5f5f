import { type RawBuilder, sql } from 'kysely'
import { isUnread, joinOwn, type Reader } from '../visibility.ts'

/** From this id on; in this stream only, and in this topic of it, where one is named. */
export interface Range {
  since?: number
  stream?: number
  foldedTopic?: string
}

type Selection = RawBuilder<unknown>

const only = ({ stream }: Range) => (stream === undefined ? sql`` : sql`and p.stream_id = ${stream}`)
const inTopic = ({ foldedTopic }: Range) =>
  foldedTopic === undefined ? sql`` : sql`and m.folded_topic = ${foldedTopic}`

/** The streams that the reader is in, from which id on what was sent to them may be unread, and the last that has a mark. */
const places = ({ organization_id, user_id }: Reader, range: Range): Selection => sql`
  select p.stream_id, greatest(p.from_message_id, s.read_to, setting.read_to, ${range.since ?? 0}) as since, (
    select mark.message_id from read_mark mark
    where mark.organization_id = ${organization_id} and mark.user_id = ${user_id} and mark.stream_id = p.stream_id
    order by mark.message_id desc limit 1) as last_marked
  from subscription_period p
  join subscription s using (organization_id, user_id, stream_id)
  join user_setting setting using (organization_id, user_id)
  where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.to_outbox_id is null ${only(range)}
  offset 0`

/**
 * On `m`, which was sent to `place`. As a value rather than a condition, it is looked up by its key: a join would be made by
 * a guess how many marks there are, and someone may have a hundred thousand times as many as someone else.
 */
const isAboveNumbersAndUnmarked = ({ organization_id, user_id }: Reader) => sql<boolean>`
  m.id >= place.since and (coalesce(m.id > place.last_marked, true) or not coalesce((
    select mark.is_read from read_mark mark
    where mark.organization_id = ${organization_id} and mark.user_id = ${user_id}
      and mark.stream_id = place.stream_id and mark.message_id = m.id), false))`

/** Ids of nearly all that can be unread, and of little that is not, by indexes alone. */
export const selectCandidateIds = (reader: Reader, range: Range = {}): Selection => sql`
  select found.id from (${places(reader, range)}) as place cross join lateral (
    select m.id from message m
    where m.organization_id = ${reader.organization_id} and m.sent_recipient_id = place.stream_id
      and ${isAboveNumbersAndUnmarked(reader)}
    order by m.id desc
  ) as found
  union all ${privates(reader, range)}`

/**
 * Columns of `m`, of what is unread where it was sent. What never was moved is unread by how it is found; to ask isUnread of
 * each would say the same, and take three times as long. (Of messages to streams it does not look at an own row.)
 */
export const selectUnreadWhereSent = (
  reader: Reader,
  columns: RawBuilder<unknown>,
  range: Range = {},
): Selection => sql`
  select found.* from (${places(reader, range)}) as place cross join lateral (
    select ${columns} from message m left join user_message own on false
    where m.organization_id = ${reader.organization_id} and m.recipient_id = m.sent_recipient_id
      and ${range.foldedTopic === undefined ? sql`m.sent_recipient_id` : sql`m.recipient_id`} = place.stream_id
      ${inTopic(range)} and ${isAboveNumbersAndUnmarked(reader)} and (m.arrived_id = m.id or ${isUnread(reader)})
    offset 0
  ) as found`

/**
 * Columns of `m`, of what else is unread: marked so below the numbers, moved to where the reader is from elsewhere, or
 * private, where no stream is named. There may be some of `selectUnreadWhereSent` in it.
 */
export const selectUnreadElsewhere = (
  reader: Reader,
  columns: RawBuilder<unknown>,
  range: Range = {},
): Selection => sql`
  select found.* from (
    ${marked(reader, range)} union ${movedHere(reader, range)}
    ${range.stream === undefined ? sql`union ${privates(reader, range)}` : sql``}
  ) as candidate
  cross join lateral (
    select ${columns} from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.id = candidate.id and ${isUnread(reader)}
      ${range.stream === undefined ? sql`` : sql`and m.recipient_id = ${range.stream}`} ${inTopic(range)}
    offset 0
  ) as found`

const marked = ({ organization_id, user_id }: Reader, { since = 0 }: Range): Selection => sql`
  select message_id as id from read_mark
  where organization_id = ${organization_id} and user_id = ${user_id} and not is_read and message_id >= ${since}`

const movedHere = ({ organization_id, user_id }: Reader, range: Range): Selection => sql`
  select found.id from subscription_period p cross join lateral (
    select m.id from message m
    where m.organization_id = ${organization_id} and m.recipient_id = p.stream_id
      and m.recipient_id <> m.sent_recipient_id and m.arrived_id >= p.from_message_id and m.id >= ${range.since ?? 0}
    order by m.id desc
  ) as found
  where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.to_outbox_id is null ${only(range)}`

const privates = ({ organization_id, user_id }: Reader, { since = 0 }: Range): Selection => sql`
  select message_id as id from user_message
  where organization_id = ${organization_id} and user_id = ${user_id} and is_unread and message_id >= ${since}`
