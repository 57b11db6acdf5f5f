import { Attention, Role } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import {
  isReadable,
  isReceived,
  isUnchangedSinceAccess,
  joinOwn,
  joinOwnLateral,
  type Reader,
} from '../visibility.ts'
import { hasAttention, knowsAttention, selectMutedStreams } from './narrow/muting.ts'
import type { IndexHints, Narrow } from './narrow/narrow.ts'

/** Describes which messages to read: up to `limit` messages that are older or newer than `from`. */
export interface Direction {
  from: number
  to: 'older' | 'newer'
  limit: number
  /** The last id to read, inclusive. */
  until?: number
}

type Condition = RawBuilder<boolean>
type Ids = RawBuilder<{ id: number }>

/**
 * Selects the ids of messages that match a narrow. Messages are read along the narrow's most
 * selective index, starting at the anchor and ending with the page; other conditions are evaluated
 * for each row. See the example in messages/message-queries.md.
 */
export function selectIds(reader: Reader, narrow: Narrow, direction: Direction): Ids {
  const makeWalk = (conditions: readonly Condition[]) =>
    new IndexWalk(
      reader,
      direction,
      [isVisible(reader, narrow), ...conditions],
      conditions,
      narrow.isCommon ?? false,
    )
  const walk = makeWalk(narrow.conditions)
  const { streamCondition, conversationCondition } = narrow.indexHints
  const makeWalkWithout = (implied: Condition | undefined) =>
    makeWalk(narrow.conditions.filter((condition) => condition !== implied))
  const walks = {
    walk,
    inStream: makeWalkWithout(streamCondition),
    inConversation: makeWalkWithout(conversationCondition),
  }
  const [first, ...others] = selectBranches(walks, narrow)
  if (!first) return sql`select 0::bigint as id where false`
  if (others.length === 0) return first
  return sql`select id from (${sql.join([first, ...others], sql` union `)}) as found ${walk.order(sql`id`)}`
}

/** Builds the condition that the reader may see a message in this narrow. */
export function isVisible(reader: Reader, { includesHistory }: Narrow): Condition {
  return includesHistory ? isReadable(reader) : isReceived(reader)
}

/**
 * Walks with all conditions of a narrow, and without that of its stream or conversation, for queries that have it in
 * the form of their index: PostgreSQL would multiply the probabilities of both, expect a single message, and sort all.
 */
type Walks = Record<'walk' | 'inStream' | 'inConversation', IndexWalk>

/** Builds queries whose union contains exactly the matching messages. */
function selectBranches(
  { walk, inStream, inConversation }: Walks,
  { indexHints, includesHistory }: Narrow,
): Ids[] {
  const { message, conversation, own, stream, topic, sender } = indexHints
  if (message !== undefined) return [walk.messages(sql`m.id = ${message}`)]
  if (conversation === null) return []
  if (conversation !== undefined && !indexHints.isUnread)
    return [inConversation.messages(sql`m.sent_recipient_id = ${conversation}`)]
  if (own === 'is_mentioned') return [walk.own(own), walk.messages(sql`m.mentions_wildcard`)]
  if (own) return [walk.own(own)]
  if (indexHints.isUnread) return selectUnreadBranches(walk, indexHints)
  if (indexHints.isFollowed) return [walk.followedTopics()]
  if (stream && topic !== undefined) return [inStream.messages(sql`m.recipient_id = ${stream.id}`)]
  if (stream && includesHistory)
    return [
      inStream.messages(sql`m.sent_recipient_id = ${stream.id} and ${isWhereSent}`),
      inStream.movedTo(stream.id),
    ]
  if (stream)
    return [walk.subscribedStreams(periodsOfStream(stream.id)), walk.movedTo(stream.id), walk.ownInStream()]
  if (sender !== undefined) return [walk.messages(sql`true`)]
  if (indexHints.isPrivate) return [walk.own('is_private')]
  if (indexHints.isPublic && includesHistory) return [walk.messages(sql`true`)]
  if (topic !== undefined) return [walk.topicInStreams(topic), walk.movedAway(), walk.own()]
  // A message that was moved out of a muted stream can be in the home view.
  if (indexHints.isHome) return [walk.subscribedStreams(unmutedPeriods), walk.movedAway(), walk.own()]
  return [walk.subscribedStreams(allPeriods), walk.own()]
}

/**
 * Builds queries of all messages that can be unread: messages above the read positions, messages
 * marked unread below them, private messages, and messages moved into one of the reader's streams.
 */
function selectUnreadBranches(walk: IndexWalk, { stream, conversation, isHome }: IndexHints): Ids[] {
  if (conversation) return [walk.own('is_unread')]
  const streamId = stream?.id
  return [
    walk.subscribedStreams(unreadPeriods(streamId, isHome)),
    walk.marked(),
    walk.movedTo(streamId),
    ...(streamId === undefined ? [walk.own('is_unread')] : []),
  ]
}

/**
 * The message is in the stream to which it was sent. Written as a case, because PostgreSQL would expect that from an
 * equation for one message in as many as there are streams, although it holds for nearly all.
 */
const isWhereSent = sql<boolean>`case when m.recipient_id = m.sent_recipient_id then true else false end`

type Periods = (reader: Reader) => RawBuilder<unknown>

const maxId = sql`9223372036854775807`

const allPeriods: Periods = ({ organization_id, user_id }) => sql`
  select stream_id, from_message_id as since, coalesce(to_message_id, ${maxId}) as until
  from subscription_period where organization_id = ${organization_id} and user_id = ${user_id}`

/**
 * The reader's subscription periods without muted streams. Messages of muted streams are never in
 * the home view, and checking each message would be slow.
 */
const unmutedPeriods: Periods = (reader) =>
  sql`${allPeriods(reader)} and stream_id not in (${selectMutedStreams(reader)})`

const periodsOfStream =
  (stream: number): Periods =>
  (reader) =>
    sql`${allPeriods(reader)} and stream_id = ${stream}`

const unreadPeriods =
  (stream: number | undefined, isHome = false): Periods =>
  (reader) =>
    sql`
    select p.stream_id, greatest(p.from_message_id, s.read_to, setting.read_to) as since, ${maxId} as until
    from subscription_period p
    cross join lateral (
      select read_to, is_muted from subscription own
      where own.organization_id = p.organization_id and own.user_id = p.user_id and own.stream_id = p.stream_id
      offset 0) as s
    join user_setting setting using (organization_id, user_id)
    where p.organization_id = ${reader.organization_id} and p.user_id = ${reader.user_id}
      and p.to_message_id is null
      ${stream === undefined ? sql`` : sql`and p.stream_id = ${stream}`}
      ${isHome ? sql`and (not s.is_muted ${knowsAttention(reader) ? sql`or ${hasAttention(sql`p`)}` : sql``})` : sql``}`

/**
 * Like `isUnchangedSinceAccess`, but looks up each row by its id, so that PostgreSQL can first find
 * the ids with an index-only scan.
 */
const isUnchangedById = (reader: Reader, id: RawBuilder<unknown>): Condition => sql<boolean>`exists (
  select from (
    select * from message found where found.organization_id = m.organization_id and found.id = ${id} offset 0
  ) as m where ${isUnchangedSinceAccess(reader)})`

class IndexWalk {
  readonly #reader: Reader
  readonly #direction: Direction
  /**
   * Conditions for visibility and for the narrow. `#narrowConditions` has only the narrow's
   * conditions, for queries whose messages are all visible.
   */
  readonly #allConditions: readonly Condition[]
  readonly #narrowConditions: readonly Condition[]
  readonly #isCommon: boolean

  constructor(
    reader: Reader,
    direction: Direction,
    allConditions: readonly Condition[],
    narrowConditions: readonly Condition[],
    isCommon: boolean,
  ) {
    this.#reader = reader
    this.#direction = direction
    this.#allConditions = allConditions
    this.#narrowConditions = narrowConditions
    this.#isCommon = isCommon
  }

  /**
   * Selects messages that meet the condition, along the index that PostgreSQL chooses. Common pages are planned
   * without their values, and must stop after the first messages however many there are, so the reader's rows are
   * looked up one at a time.
   */
  messages(condition: Condition): Ids {
    const join = this.#isCommon ? joinOwnLateral : joinOwn
    return sql`(
      select m.id from message m ${join(this.#reader)}
      where m.organization_id = ${this.#reader.organization_id} and ${condition} and ${this.#isInDirection(sql`m.id`)}
        and ${joinConditions(this.#allConditions)} ${this.order(sql`m.id`)})`
  }

  /**
   * Selects messages of a small set that has its own index. Reads the whole set and then sorts it;
   * otherwise PostgreSQL might read all messages in order until it has found enough members of the
   * set.
   */
  smallSet(condition: Condition): Ids {
    return sql`(
      select id from (
        select m.id from message m ${joinOwn(this.#reader)}
        where m.organization_id = ${this.#reader.organization_id} and ${condition} and ${this.#isInDirection(sql`m.id`)}
          and ${joinConditions(this.#allConditions)} offset 0
      ) as found ${this.order(sql`id`)})`
  }

  /**
   * Selects messages for which the reader has a `user_message` row. If `column` is given, it must
   * be true in the row.
   */
  own(column?: 'is_private' | 'is_unread' | 'is_starred' | 'is_mentioned' | 'has_alert_word'): Ids {
    return this.#own(
      column ? sql`${sql.ref(`own.${column}`)}` : sql`true`,
      isUnchangedSinceAccess(this.#reader),
    )
  }

  /**
   * Selects messages of the narrow's stream for which the reader has a `user_message` row.
   * PostgreSQL may read all messages of the stream from an index that lacks `changed_id`, so a
   * message itself is read only after the reader's row was found.
   */
  ownInStream(): Ids {
    return this.#own(sql`true`, isUnchangedById(this.#reader, sql`own.message_id`))
  }

  #own(condition: Condition, isKnown: Condition): Ids {
    const { organization_id, user_id } = this.#reader
    return sql`(
      select m.id from user_message own
      join message m on m.organization_id = own.organization_id and m.id = own.message_id
      where own.organization_id = ${organization_id} and own.user_id = ${user_id} and ${condition}
        and ${this.#isInDirection(sql`own.message_id`)} and ${joinConditions([isKnown, ...this.#narrowConditions])}
        ${this.order(sql`own.message_id`)})`
  }

  /**
   * Selects messages that were moved into the stream, or into any of the reader's streams if
   * `stream` is undefined.
   */
  movedTo(stream: number | undefined): Ids {
    if (stream === undefined) return this.#movedBetweenStreams(sql`m.recipient_id`, sql`s.is_active`)
    return this.messages(sql`m.recipient_id <> m.sent_recipient_id and m.recipient_id = ${stream}`)
  }

  /** Selects messages that were moved out of a stream that the reader is or was subscribed to. */
  movedAway(): Ids {
    return this.#movedBetweenStreams(sql`m.sent_recipient_id`, sql`true`)
  }

  /**
   * Selects moved messages one stream at a time. For all streams at once, PostgreSQL would
   * overestimate their number and scan the whole table.
   */
  #movedBetweenStreams(streamId: RawBuilder<unknown>, which: Condition): Ids {
    const { organization_id, user_id } = this.#reader
    return sql`(
      select found.id from subscription s cross join lateral (
        select m.id from message m ${joinOwn(this.#reader)}
        where m.organization_id = ${organization_id} and ${streamId} = s.stream_id
          and m.recipient_id <> m.sent_recipient_id and ${this.#isInDirection(sql`m.id`)}
          and ${joinConditions(this.#allConditions)} ${this.order(sql`m.id`)}
      ) as found
      where s.organization_id = ${organization_id} and s.user_id = ${user_id} and ${which})`
  }

  /** Selects messages that are marked unread below the read positions. */
  marked(): Ids {
    const { organization_id, user_id } = this.#reader
    return this.smallSet(sql`m.id in (
      select message_id from read_mark
      where organization_id = ${organization_id} and user_id = ${user_id} and not is_read)`)
  }

  /** Selects messages of this topic in all streams that the reader is or was subscribed to. */
  topicInStreams(topic: string): Ids {
    const { organization_id, user_id } = this.#reader
    return sql`(
      select found.id from subscription s cross join lateral (
        select m.id from message m ${joinOwn(this.#reader)}
        where m.organization_id = ${organization_id} and m.recipient_id = s.stream_id and m.folded_topic = ${topic}
          and ${this.#isInDirection(sql`m.id`)} and ${joinConditions(this.#allConditions)} ${this.order(sql`m.id`)}
      ) as found
      where s.organization_id = ${organization_id} and s.user_id = ${user_id})`
  }

  /**
   * Selects messages of the topics that the reader follows. A page of `limit` messages can contain messages of at
   * most `limit` topics, so only the topics with the nearest messages are read.
   */
  followedTopics(): Ids {
    const { organization_id, user_id } = this.#reader
    const { limit } = this.#direction
    const inTopic = sql`
      from message m ${joinOwn(this.#reader)}
      where m.organization_id = ${organization_id} and m.recipient_id = followed.stream_id
        and m.folded_topic = followed.folded_topic and ${this.#isInDirection(sql`m.id`)}
        and ${joinConditions(this.#allConditions)} order by m.id ${this.#sortOrder}`
    return sql`(
      with nearest as materialized (
        select followed.stream_id, followed.folded_topic
        from topic_attention followed cross join lateral (select m.id ${inTopic} limit 1) as first
        where followed.organization_id = ${organization_id} and followed.user_id = ${user_id}
          and followed.policy = ${sql.lit(Attention.followed)}
        order by first.id ${this.#sortOrder} limit ${limit})
      select found.id from nearest as followed cross join lateral (select m.id ${inTopic} limit ${limit}) as found)`
  }

  /**
   * Selects messages that were sent to the reader's streams while the reader was subscribed. First
   * finds the message of each stream that is nearest to the anchor. A page of `limit` messages can
   * contain messages of at most `limit` streams, so only the `limit` streams with the nearest
   * messages are read, and none of them beyond the farthest of these nearest messages.
   */
  subscribedStreams(periods: Periods): Ids {
    const { limit, to, until } = this.#direction
    // Messages sent while the reader was subscribed are received messages, unless they changed
    // later or the reader is a guest who may not see them.
    const isGuest = this.#reader.role === Role.guest
    const isIndexOnly = !isGuest && this.#narrowConditions.length === 0
    const isKnown = isIndexOnly ? this.#isUnchangedInStream() : isUnchangedSinceAccess(this.#reader)
    const received = isGuest ? isReceived(this.#reader) : isKnown
    const inSentStream = sql`
      from message m ${isIndexOnly ? sql`` : joinOwn(this.#reader)}
      where m.organization_id = ${this.#reader.organization_id} and m.sent_recipient_id = sent_stream.stream_id
        and m.id >= sent_stream.since and m.id < sent_stream.until and ${joinConditions([received, ...this.#narrowConditions])}`
    const farthest = to === 'older' ? sql`min(nearest)` : sql`max(nearest)`
    const within =
      to === 'older'
        ? sql`m.id between coalesce((select id from farthest), ${until ?? 0}) and sent_stream.nearest`
        : sql`m.id between sent_stream.nearest and coalesce((select id from farthest), ${until ?? maxId})`
    return sql`(
      with period as materialized (${isIndexOnly ? this.#withAccess(periods) : periods(this.#reader)}),
      reach as materialized (
        select sent_stream.*, first.id as nearest from period as sent_stream cross join lateral (
          select m.id ${inSentStream} and ${this.#isInDirection(sql`m.id`)} order by m.id ${this.#sortOrder} limit 1
        ) as first
        order by first.id ${this.#sortOrder} limit ${sql.lit(limit)}),
      farthest as materialized (select ${farthest} as id from reach having count(*) = ${sql.lit(limit)})
      select found.id from reach as sent_stream cross join lateral (
        select m.id ${inSentStream} and ${within} order by m.id ${this.#sortOrder} limit ${sql.lit(limit)}
      ) as found)`
  }

  /**
   * Adds two columns to each period: whether the reader can currently reach the stream, and the
   * first message in reading direction that was moved out of the stream. Not usable for guests,
   * because guests cannot reach a public stream without a subscription.
   */
  #withAccess(periods: Periods): RawBuilder<unknown> {
    const { organization_id, user_id } = this.#reader
    return sql`
      select period.*,
        exists (
          select from subscription_period now
          where now.organization_id = ${organization_id} and now.user_id = ${user_id}
            and now.stream_id = period.stream_id and now.to_message_id is null
        ) or exists (
          select from stream s
          where s.organization_id = ${organization_id} and s.id = period.stream_id and not s.invite_only
        ) as is_in_reach,
        (
          select moved.id from message moved
          where moved.organization_id = ${organization_id} and moved.sent_recipient_id = period.stream_id
            and moved.recipient_id <> moved.sent_recipient_id and ${this.#isInDirection(sql`moved.id`)}
          order by moved.id ${this.#sortOrder} limit 1
        ) as first_moved
      from (${periods(this.#reader)}) as period`
  }

  /**
   * Like `isUnchangedSinceAccess`, for a message that was sent to `sent_stream`, a row of
   * `#withAccess`. Readers see all changes in streams that they can reach, so only moved messages
   * and messages of streams out of reach must be read from the table.
   */
  #isUnchangedInStream(): Condition {
    const isBeforeMoved =
      this.#direction.to === 'older'
        ? sql`m.id > sent_stream.first_moved`
        : sql`m.id < sent_stream.first_moved`
    return sql<boolean>`(
      sent_stream.is_in_reach and (sent_stream.first_moved is null or ${isBeforeMoved} or not exists (
        select from message moved
        where moved.organization_id = m.organization_id and moved.sent_recipient_id = sent_stream.stream_id
          and moved.id = m.id and moved.recipient_id <> moved.sent_recipient_id offset 0))
      or ${isUnchangedById(this.#reader, sql`m.id`)})`
  }

  order(id: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`order by ${id} ${this.#sortOrder} limit ${sql.lit(this.#direction.limit)}`
  }

  get #sortOrder(): RawBuilder<unknown> {
    return this.#direction.to === 'older' ? sql`desc` : sql`asc`
  }

  #isInDirection(id: RawBuilder<unknown>): Condition {
    const { from, to, until } = this.#direction
    if (to === 'older')
      return until === undefined ? sql`${id} < ${from}` : sql`${id} < ${from} and ${id} >= ${until}`
    return until === undefined ? sql`${id} > ${from}` : sql`${id} > ${from} and ${id} <= ${until}`
  }
}

const joinConditions = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
