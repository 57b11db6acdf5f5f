import type { MessageId, NarrowOperatorName, StreamId, UserId } from '@oxbow/contract'
import type { SendTarget } from '../conversations/target.ts'

/** Kinds of operands in URLs, by operator. */
export const operandKinds = {
  stream: 'stream',
  topic: 'text',
  'pm-with': 'people',
  'group-pm-with': 'people',
  sender: 'people',
  streams: 'text',
  is: 'text',
  has: 'text',
  in: 'text',
  search: 'text',
  id: 'text',
  near: 'text',
} as const satisfies Record<NarrowOperatorName, 'stream' | 'people' | 'text'>

type OperatorOf<Kind> = {
  [Name in NarrowOperatorName]: (typeof operandKinds)[Name] extends Kind ? Name : never
}[NarrowOperatorName]

/** A stream in a URL. Old links have no id. */
export interface StreamSlug {
  stream_id?: StreamId
  /** Name for people who read the URL, with hyphens in place of spaces. */
  name: string
}

/** People in a URL. Old links have e-mail addresses instead of ids. */
export interface PeopleSlug {
  user_ids: readonly UserId[]
  /** Names for people who read the URL; in old links, e-mail addresses. */
  label: string
}

export type Term = { negated?: true } & (
  | { operator: OperatorOf<'stream'>; operand: StreamSlug }
  | { operator: OperatorOf<'people'>; operand: PeopleSlug }
  | { operator: Exclude<OperatorOf<'text'>, 'near'>; operand: string }
)

/** The message at which a view opens its list. */
export interface ListPosition {
  /** Id of the message. */
  near?: MessageId
  /** A day such as `2026-03-01`; the list opens at its first message. */
  date?: string
}

export const pages = {
  streams: ['all', 'mine', 'new'],
  stream: ['general', 'members', 'mine', 'permissions'],
  settings: [
    'profile',
    'account',
    'sessions',
    'display',
    'notifications',
    'alert-words',
    'muted',
    'uploads',
    'bots',
    'device',
  ],
  organization: [
    'profile',
    'settings',
    'permissions',
    'emoji',
    'linkifiers',
    'profile-fields',
    'domains',
    'users',
    'deactivated',
    'invitations',
    'streams',
    'default-streams',
    'bots',
    'integrations',
    'explain',
  ],
  bot: ['general', 'url', 'failures'],
  help: ['keys', 'formatting', 'search'],
} as const

export type PageOf<View extends keyof typeof pages> = (typeof pages)[View][number]

/** A location in the client: the parsed fragment of the URL. */
export type Route =
  | { view: 'home' | 'inbox' | 'recent' | 'drafts' | 'scheduled' | 'people' | 'groups' | 'search' }
  | { view: 'narrow'; terms: readonly Term[]; at: ListPosition }
  | { view: 'topics'; stream: StreamSlug }
  | { view: 'streams'; page: PageOf<'streams'> }
  | { view: 'stream'; stream_id: StreamId; name: string; page: PageOf<'stream'> }
  | { view: 'person'; user_id: UserId }
  | { view: 'group'; group_id: number }
  /** Without a page, the route shows the list of pages, which is a separate screen on phones. */
  | { view: 'settings'; page?: PageOf<'settings'> }
  | { view: 'organization'; page: PageOf<'organization'> }
  | { view: 'bot'; user_id: UserId; page: PageOf<'bot'> }
  | { view: 'help'; page: PageOf<'help'> }
  /** An unknown fragment, for which the Inbox is shown with a note. */
  | { view: 'unknown'; hash: string }

/** Returns the conversation that a route shows, if it shows exactly one. */
export function findConversation(route: Route): SendTarget | undefined {
  if (route.view !== 'narrow' || route.terms.some(({ negated }) => negated)) return undefined
  const [first, second, ...more] = route.terms
  if (first?.operator === 'pm-with' && !second)
    return first.operand.user_ids.length > 0
      ? { type: 'private', user_ids: first.operand.user_ids }
      : undefined
  if (first?.operator !== 'stream' || second?.operator !== 'topic' || more.length > 0) return undefined
  const { stream_id } = first.operand
  return stream_id === undefined ? undefined : { type: 'stream', stream_id, topic: second.operand }
}

/** Returns the id of the stream that a route shows, as its topics, its messages or its pages. */
export function findStreamId(route: Route): StreamId | undefined {
  if (route.view === 'stream') return route.stream_id
  if (route.view === 'topics') return route.stream.stream_id
  if (route.view !== 'narrow') return undefined
  const term = route.terms.find(({ operator, negated }) => operator === 'stream' && !negated)
  return term?.operator === 'stream' ? term.operand.stream_id : undefined
}

/** Returns the route of a topic. */
export const topicRoute = (stream: Required<StreamSlug>, topic: string, at: ListPosition = {}): Route => ({
  view: 'narrow',
  terms: [
    { operator: 'stream', operand: stream },
    { operator: 'topic', operand: topic },
  ],
  at,
})

/** Returns the route of a stream's messages, in all its topics. */
export const streamRoute = (stream: Required<StreamSlug>): Route => ({
  view: 'narrow',
  terms: [{ operator: 'stream', operand: stream }],
  at: {},
})

/** Returns the route of a private conversation. */
export const privateRoute = (user_ids: readonly UserId[], label: string): Route => ({
  view: 'narrow',
  terms: [{ operator: 'pm-with', operand: { user_ids, label } }],
  at: {},
})

/** Returns the route of a view with one textual term, such as mentions or starred messages. */
export const filterRoute = (operator: 'is' | 'in' | 'search', operand: string): Route => ({
  view: 'narrow',
  terms: [{ operator, operand }],
  at: {},
})

/** Path of the help, which the server renders. */
export const helpPath = '/help'
