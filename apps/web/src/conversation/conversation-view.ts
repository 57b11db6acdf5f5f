import type { MessageId, StreamId, UserId } from '@oxbow/contract'
import type { Term } from '@oxbow/sdk/windows'
import type { Route, Term as RouteTerm } from '../client/route/route.ts'

/** The content of a list of messages. */
export type ListKind =
  | { kind: 'topic'; stream_id: StreamId; topic: string }
  | { kind: 'private'; user_ids: readonly UserId[] }
  | { kind: 'stream'; stream_id: StreamId }
  | { kind: 'all private' | 'mentions' | 'starred' | 'alerts' | 'followed' | 'all' | 'search' }

export interface ConversationView {
  readonly list: ListKind
  /** Terms in the form of the API and the windows. */
  readonly narrow: readonly Term[]
}

const filters: Readonly<
  Record<string, 'all private' | 'mentions' | 'starred' | 'alerts' | 'followed' | 'all'>
> = {
  'is private': 'all private',
  'is mentioned': 'mentions',
  'is starred': 'starred',
  'is alerted': 'alerts',
  'is followed': 'followed',
  'in home': 'all',
}

/** Returns whether viewing a message in a list marks it as read. */
export const marksRead = ({ kind }: ListKind): boolean =>
  kind !== 'starred' && kind !== 'alerts' && kind !== 'search'

/** Returns whether a list has messages of several conversations. */
export const isMixed = ({ kind }: ListKind): boolean => kind !== 'topic' && kind !== 'private'

/**
 * Returns whether a list omits messages between its rows, so that each row needs a link to its
 * conversation.
 */
export const isSparse = ({ kind }: ListKind): boolean =>
  kind === 'search' || kind === 'starred' || kind === 'mentions' || kind === 'alerts'

/**
 * Returns the view that a route shows; undefined if a stream or person is unknown. Old links name
 * streams without an id; `findStream` returns the id by name.
 */
export function readView(
  route: Extract<Route, { view: 'narrow' }>,
  findStream: (name: string) => number | undefined,
): ConversationView | undefined {
  const terms = route.terms.map((term) => readTerm(term, findStream))
  if (!terms.every((term) => term !== undefined)) return undefined
  return { list: findKind(terms), narrow: terms }
}

function readTerm(term: RouteTerm, findStream: (name: string) => number | undefined): Term | undefined {
  const { operator } = term
  const negated = term.negated ? { negated: true } : {}
  switch (term.operator) {
    case 'stream': {
      const id = term.operand.stream_id ?? findStream(term.operand.name.toLowerCase())
      return id === undefined ? undefined : { operator, operand: id, ...negated }
    }
    case 'pm-with':
      return term.operand.user_ids.length === 0
        ? undefined
        : { operator, operand: [...term.operand.user_ids], ...negated }
    case 'sender':
    case 'group-pm-with': {
      const [id] = term.operand.user_ids
      return { operator, operand: id ?? term.operand.label, ...negated }
    }
    default:
      return { operator, operand: term.operand, ...negated }
  }
}

function findKind(terms: readonly Term[]): ListKind {
  const [first, second, ...more] = terms
  if (!first || more.length > 0 || terms.some(({ negated }) => negated)) return { kind: 'search' }
  const { operator, operand } = first
  if (second)
    return operator === 'stream' && second.operator === 'topic'
      ? { kind: 'topic', stream_id: Number(operand) as StreamId, topic: String(second.operand) }
      : { kind: 'search' }
  if (operator === 'stream') return { kind: 'stream', stream_id: Number(operand) as StreamId }
  if (operator === 'pm-with' && Array.isArray(operand))
    return { kind: 'private', user_ids: operand.map((id) => Number(id) as UserId) }
  return { kind: filters[`${operator} ${operand}`] ?? 'search' }
}

/** Unread messages by conversation, in the form of the unread state. */
export interface UnreadLists {
  readonly topics: readonly {
    stream_id: StreamId
    topic: string
    isMuted: boolean
    isFollowed: boolean
    ids: readonly number[]
  }[]
  readonly conversations: readonly { user_ids: readonly UserId[]; ids: readonly number[] }[]
  /** Ids of the messages in these lists that mention the user. */
  readonly mentions: ReadonlySet<number>
}

/** Returns the first unread message that a list shows, and the number of all its unread messages. */
export function findUnread(
  list: ListKind,
  unread: UnreadLists,
): { first: MessageId | undefined; count: number } {
  const ids = unreadIds(list, unread)
  const first = ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
  return { first: Number.isFinite(first) ? (first as MessageId) : undefined, count: ids.length }
}

function unreadIds(list: ListKind, { topics, conversations, mentions }: UnreadLists): number[] {
  const idsOf = (found: readonly { ids: readonly number[] }[]) => found.flatMap(({ ids }) => ids)
  switch (list.kind) {
    case 'topic': {
      const topic = list.topic.toLowerCase()
      return idsOf(
        topics.filter(
          (candidate) => candidate.stream_id === list.stream_id && candidate.topic.toLowerCase() === topic,
        ),
      )
    }
    case 'stream':
      return idsOf(topics.filter(({ stream_id }) => stream_id === list.stream_id))
    case 'private': {
      const key = keyOf(list.user_ids)
      return idsOf(conversations.filter(({ user_ids }) => keyOf(user_ids) === key))
    }
    case 'all private':
      return idsOf(conversations)
    case 'all':
      return [...idsOf(topics.filter(({ isMuted }) => !isMuted)), ...idsOf(conversations)]
    case 'followed':
      return idsOf(topics.filter(({ isFollowed }) => isFollowed))
    case 'mentions':
      return [...mentions]
    default:
      return []
  }
}

const keyOf = (user_ids: readonly UserId[]): string => user_ids.toSorted((a, b) => a - b).join()
