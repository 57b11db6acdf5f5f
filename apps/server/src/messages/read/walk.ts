import { Role } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { isReadable, isReceived, isUnchangedSinceAccess, joinOwn, type Reader } from '../visibility.ts'
import type { About, Narrow } from './narrow/compile.ts'

/** From a message on, without it, to older or newer ones. */
export interface Direction {
  from: number
  to: 'older' | 'newer'
  limit: number
  /** Not beyond this one. */
  until?: number
}

type Condition = RawBuilder<boolean>
type Ids = RawBuilder<{ id: number }>

/**
 * Selects the ids of what fits a narrow. Each narrow is walked along the index that knows most about it, from the anchor on
 * and no further than the page; what the index does not know is a condition on each row.
 */
export function selectIds(reader: Reader, narrow: Narrow, direction: Direction): Ids {
  const { conditions } = narrow
  const walk = new Walk(reader, direction, [isVisible(reader, narrow), ...conditions], conditions)
  const [first, ...others] = branches(walk, narrow)
  if (!first) return sql`select 0::bigint as id where false`
  if (others.length === 0) return first
  return sql`select id from (${sql.join([first, ...others], sql` union `)}) as found ${walk.order(sql`id`)}`
}

/** Whether a message is among those that a narrow is about, whatever else it asks for. */
export function isVisible(reader: Reader, { includesHistory }: Narrow): Condition {
  return includesHistory ? isReadable(reader) : isReceived(reader)
}

/** Together they hold everything that fits, and nothing that does not. */
function branches(walk: Walk, { about, includesHistory }: Narrow): Ids[] {
  const { message, conversation, own, stream, topic, sender } = about
  if (message !== undefined) return [walk.messages(sql`m.id = ${message}`)]
  if (conversation === null) return []
  if (conversation !== undefined && !about.isUnread)
    return [walk.messages(sql`m.sent_recipient_id = ${conversation}`)]
  if (own === 'is_mentioned') return [walk.own(own), walk.messages(sql`m.mentions_wildcard`)]
  if (own && own !== 'is_private') return [walk.own(own)]
  if (about.isUnread) return unread(walk, about)
  if (stream && topic !== undefined) return [walk.messages(sql`m.recipient_id = ${stream.id}`)]
  if (stream && includesHistory)
    return [walk.messages(sql`m.sent_recipient_id = ${stream.id}`), walk.movedTo(stream.id)]
  if (stream) return [walk.places(only(stream.id)), walk.movedTo(stream.id), walk.ownInStream()]
  if (sender !== undefined) return [walk.messages(sql`true`)]
  if (own) return [walk.own(own)]
  if (about.isPublic && includesHistory) return [walk.messages(sql`true`)]
  if (topic !== undefined) return [walk.topicPlaces(topic), walk.movedAway(), walk.own()]
  // What was moved from a muted stream to another may be at home.
  if (about.isHome) return [walk.places(unmutedPeriods), walk.movedAway(), walk.own()]
  return [walk.places(allPeriods), walk.own()]
}

/** All that can be unread: above the numbers, marked so below them, private, or moved to where the reader is. */
function unread(walk: Walk, { stream, conversation, isHome }: About): Ids[] {
  if (conversation) return [walk.own('is_unread')]
  const place = stream?.id
  return [
    walk.places(unreadPeriods(place, isHome)),
    walk.marked(),
    walk.movedTo(place),
    ...(place === undefined ? [walk.own('is_unread')] : []),
  ]
}

type Periods = (reader: Reader) => RawBuilder<unknown>

const forEver = sql`9223372036854775807`

const allPeriods: Periods = ({ organization_id, user_id }) => sql`
  select stream_id, from_message_id as since, coalesce(to_message_id, ${forEver}) as until
  from subscription_period where organization_id = ${organization_id} and user_id = ${user_id}`

/** In a muted stream nothing is at home, and to find that out message by message takes long. */
const unmutedPeriods: Periods = (reader) => sql`${allPeriods(reader)} and stream_id not in (
  select stream_id from subscription
  where organization_id = ${reader.organization_id} and user_id = ${reader.user_id} and is_active and is_muted)`

const only =
  (stream: number): Periods =>
  (reader) =>
    sql`${allPeriods(reader)} and stream_id = ${stream}`

const unreadPeriods =
  (stream: number | undefined, isHome = false): Periods =>
  ({ organization_id, user_id }) =>
    sql`
    select p.stream_id, greatest(p.from_message_id, s.read_to, setting.read_to) as since, ${forEver} as until
    from subscription_period p
    join subscription s using (organization_id, user_id, stream_id)
    join user_setting setting using (organization_id, user_id)
    where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.to_message_id is null
      ${stream === undefined ? sql`` : sql`and p.stream_id = ${stream}`}
      ${isHome ? sql`and not s.is_muted` : sql``}`

/** The same as `isAsTheyKnewIt`, looked up by id for one row after the other: whatever finds the rows need not fetch them. */
const lookUpAsKnown = (reader: Reader, id: RawBuilder<unknown>): Condition => sql<boolean>`exists (
  select from (
    select * from message found where found.organization_id = m.organization_id and found.id = ${id} offset 0
  ) as m where ${isUnchangedSinceAccess(reader)})`

class Walk {
  readonly #reader: Reader
  readonly #direction: Direction
  /** What a message must fulfil to be seen and to fit; and without the former, where the way already says it. */
  readonly #fits: readonly Condition[]
  readonly #narrowed: readonly Condition[]

  constructor(
    reader: Reader,
    direction: Direction,
    fits: readonly Condition[],
    narrowed: readonly Condition[],
  ) {
    this.#reader = reader
    this.#direction = direction
    this.#fits = fits
    this.#narrowed = narrowed
  }

  /** By any index of message. */
  messages(where: Condition): Ids {
    return sql`(
      select m.id from message m ${joinOwn(this.#reader)}
      where m.organization_id = ${this.#reader.organization_id} and ${where} and ${this.#ahead(sql`m.id`)}
        and ${all(this.#fits)} ${this.order(sql`m.id`)})`
  }

  /**
   * Of a small set that has an index of its own: all of it is read, and then sorted. PostgreSQL would rather walk along all
   * messages until it has met as many of the set as fit on the page.
   */
  few(where: Condition): Ids {
    return sql`(
      select id from (
        select m.id from message m ${joinOwn(this.#reader)}
        where m.organization_id = ${this.#reader.organization_id} and ${where} and ${this.#ahead(sql`m.id`)}
          and ${all(this.#fits)} offset 0
      ) as found ${this.order(sql`id`)})`
  }

  /** What the reader has a row of: all of it, or what this column says. */
  own(column?: 'is_private' | 'is_unread' | 'is_starred' | 'is_mentioned' | 'has_alert_word'): Ids {
    return this.#own(
      column ? sql`${sql.ref(`own.${column}`)}` : sql`true`,
      isUnchangedSinceAccess(this.#reader),
    )
  }

  /**
   * What the reader has a row of in the stream that is narrowed to. PostgreSQL may join with all messages of the stream, along
   * an index that does not know what changed; so a message is fetched only after its row of the reader was found.
   */
  ownInStream(): Ids {
    return this.#own(sql`true`, lookUpAsKnown(this.#reader, sql`own.message_id`))
  }

  #own(where: Condition, isKnown: Condition): Ids {
    const { organization_id, user_id } = this.#reader
    return sql`(
      select m.id from user_message own
      join message m on m.organization_id = own.organization_id and m.id = own.message_id
      where own.organization_id = ${organization_id} and own.user_id = ${user_id} and ${where}
        and ${this.#ahead(sql`own.message_id`)} and ${all([isKnown, ...this.#narrowed])}
        ${this.order(sql`own.message_id`)})`
  }

  /** Moved there from another stream; with no stream, to wherever the reader is. */
  movedTo(stream: number | undefined): Ids {
    if (stream === undefined) return this.#moved(sql`m.recipient_id`, sql`s.is_active`)
    return this.messages(sql`m.recipient_id <> m.sent_recipient_id and m.recipient_id = ${stream}`)
  }

  /** Moved from where the reader received them, wherever they are. */
  movedAway(): Ids {
    return this.#moved(sql`m.sent_recipient_id`, sql`true`)
  }

  /** Stream by stream: PostgreSQL takes nearly all messages for moved ones, and would read them all. */
  #moved(place: RawBuilder<unknown>, which: Condition): Ids {
    const { organization_id, user_id } = this.#reader
    return sql`(
      select found.id from subscription s cross join lateral (
        select m.id from message m ${joinOwn(this.#reader)}
        where m.organization_id = ${organization_id} and ${place} = s.stream_id
          and m.recipient_id <> m.sent_recipient_id and ${this.#ahead(sql`m.id`)}
          and ${all(this.#fits)} ${this.order(sql`m.id`)}
      ) as found
      where s.organization_id = ${organization_id} and s.user_id = ${user_id} and ${which})`
  }

  /** Marked unread, although the numbers say otherwise. */
  marked(): Ids {
    const { organization_id, user_id } = this.#reader
    return this.few(sql`m.id in (
      select message_id from read_mark
      where organization_id = ${organization_id} and user_id = ${user_id} and not is_read)`)
  }

  /** A topic of the same name in every stream that the reader is or was in. */
  topicPlaces(topic: string): Ids {
    const { organization_id, user_id } = this.#reader
    return sql`(
      select found.id from subscription s cross join lateral (
        select m.id from message m ${joinOwn(this.#reader)}
        where m.organization_id = ${organization_id} and m.recipient_id = s.stream_id and m.folded_topic = ${topic}
          and ${this.#ahead(sql`m.id`)} and ${all(this.#fits)} ${this.order(sql`m.id`)}
      ) as found
      where s.organization_id = ${organization_id} and s.user_id = ${user_id})`
  }

  /**
   * What was sent to the reader's streams while they were in them. First the nearest message of each stream is looked up;
   * only as many streams as the page has messages can be on it, and nothing on it lies beyond the farthest of those.
   */
  places(periods: Periods): Ids {
    const { limit, to, until } = this.#direction
    // That it was sent while they were there says that they received it, but for what a guest may not see and what changed.
    const isGuest = this.#reader.role === Role.guest
    const isIndexOnly = !isGuest && this.#narrowed.length === 0
    const isKnown = isIndexOnly ? this.#isKnownInPlace() : isUnchangedSinceAccess(this.#reader)
    const received = isGuest ? isReceived(this.#reader) : isKnown
    const inPlace = sql`
      from message m ${isIndexOnly ? sql`` : joinOwn(this.#reader)}
      where m.organization_id = ${this.#reader.organization_id} and m.sent_recipient_id = place.stream_id
        and m.id >= place.since and m.id < place.until and ${all([received, ...this.#narrowed])}`
    const farthest = to === 'older' ? sql`min(nearest)` : sql`max(nearest)`
    const within =
      to === 'older'
        ? sql`m.id between coalesce((select id from farthest), ${until ?? 0}) and place.nearest`
        : sql`m.id between place.nearest and coalesce((select id from farthest), ${until ?? forEver})`
    return sql`(
      with period as materialized (${isIndexOnly ? this.#withReach(periods) : periods(this.#reader)}),
      reach as materialized (
        select place.*, first.id as nearest from period as place cross join lateral (
          select m.id ${inPlace} and ${this.#ahead(sql`m.id`)} order by m.id ${this.#sorted} limit 1
        ) as first
        order by first.id ${this.#sorted} limit ${limit}),
      farthest as materialized (select ${farthest} as id from reach having count(*) = ${limit})
      select found.id from reach as place cross join lateral (
        select m.id ${inPlace} and ${within} order by m.id ${this.#sorted} limit ${limit}
      ) as found)`
  }

  /**
   * Adds to each period whether the reader can reach its stream now, and the first message on the way that was moved away
   * from it. Not for guests, who reach no stream only because it is public.
   */
  #withReach(periods: Periods): RawBuilder<unknown> {
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
            and moved.recipient_id <> moved.sent_recipient_id and ${this.#ahead(sql`moved.id`)}
          order by moved.id ${this.#sorted} limit 1
        ) as first_moved
      from (${periods(this.#reader)}) as period`
  }

  /**
   * The same as `isAsTheyKnewIt` about a message that was sent to `place`, a row of `#withReach`. A reader sees all changes in
   * streams that they can reach, so only what was moved away and what is in other streams is fetched.
   */
  #isKnownInPlace(): Condition {
    const isBeforeMoved =
      this.#direction.to === 'older' ? sql`m.id > place.first_moved` : sql`m.id < place.first_moved`
    return sql<boolean>`(
      place.is_in_reach and (place.first_moved is null or ${isBeforeMoved} or not exists (
        select from message moved
        where moved.organization_id = m.organization_id and moved.sent_recipient_id = place.stream_id
          and moved.id = m.id and moved.recipient_id <> moved.sent_recipient_id offset 0))
      or ${lookUpAsKnown(this.#reader, sql`m.id`)})`
  }

  order(id: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`order by ${id} ${this.#sorted} limit ${this.#direction.limit}`
  }

  get #sorted(): RawBuilder<unknown> {
    return this.#direction.to === 'older' ? sql`desc` : sql`asc`
  }

  #ahead(id: RawBuilder<unknown>): Condition {
    const { from, to, until } = this.#direction
    if (to === 'older')
      return until === undefined ? sql`${id} < ${from}` : sql`${id} < ${from} and ${id} >= ${until}`
    return until === undefined ? sql`${id} > ${from}` : sql`${id} > ${from} and ${id} <= ${until}`
  }
}

const all = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
