import { isAdministrator, type NarrowTerm } from '@oxbow/contract'
import {
  foldTopic,
  isGuest,
  isPublic,
  isReadable,
  isReceived,
  type Message,
  type Model,
  type Name,
  names,
  type Sender,
  type Stream,
  showsHistory,
  streamOf,
} from './model.ts'

/** Muted streams, as `ID`, and muted topics, as `ID TOPIC` with the id of the stream (`mutedTopic`). */
export type Muted = ReadonlySet<string>

export interface Viewer {
  model: Model
  name: Name
  muted: Muted
  idOf(name: Sender): number
}

/** A narrow term, and the messages that it matches. */
export interface Condition {
  term: NarrowTerm
  fits(message: Message): boolean
  /**
   * Set for terms that decide whether the search includes history besides the viewer's received
   * messages.
   */
  history?: boolean
  namesStream?: true
}

export const mutedTopic = (stream: number, topic: string): string => `${stream} ${foldTopic(topic)}`

const isTopicMuted = ({ muted }: Viewer, { people, streamId, topic }: Message): boolean =>
  !people && muted.has(mutedTopic(streamId, topic))

export function isMuted(viewer: Viewer, message: Message): boolean {
  return isTopicMuted(viewer, message) || (!message.people && viewer.muted.has(String(message.streamId)))
}

const term = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({
  operator,
  operand,
  negated: false,
})

/** Returns conditions of all operators, with operands that occur in the current messages. */
export function listConditions(viewer: Viewer): Condition[] {
  const { model, name } = viewer
  const messages = [...model.messages.values()]
  const topics = [...new Set(messages.flatMap(({ people, topic }) => (people ? [] : [topic])))]
  const conversations = [...new Map(messages.flatMap(conversationOf)).values()]
  const others = names.filter((other) => other !== name)
  return [
    ...[...model.streams.values()]
      .filter((stream) => isKnown(model, name, stream))
      .flatMap((stream) => inStream(viewer, stream)),
    publicStreams(viewer),
    ...topics.map(inTopic),
    ...[...names, 'notices' as const].map((sender) => fromSender(viewer, sender)),
    ...conversations.map((people) => inConversation(viewer, people)),
    ...others.map((other) => inConversation(viewer, [other])),
    inConversation(viewer, []),
    ...[...names, 'notices' as const].map((other) => inGroupWith(viewer, other)),
    ...listIsConditions(viewer),
    { term: term('has', 'link'), fits: ({ text }) => text.hasLink },
    { term: term('has', 'image'), fits: () => false },
    { term: term('has', 'attachment'), fits: ({ claims }) => claims.size > 0 },
    ...listSearches(messages),
    { term: term('in', 'home'), fits: (message) => !isMuted(viewer, message) },
    ...messages.map(({ id }) => ({
      term: term('id', String(id)),
      fits: (message: Message) => message.id === id,
    })),
  ]
}

/**
 * Returns searches for a word that all texts contain, for a part of a link, and for the last three
 * numbers, alone and in a phrase.
 */
function listSearches(messages: readonly Message[]): Condition[] {
  const search = (query: string, pattern: RegExp): Condition => ({
    term: term('search', query),
    fits: ({ text, topic }) => pattern.test(removeHiddenParts(text.content)) || pattern.test(topic),
  })
  const numbers = messages.flatMap(({ text }) => /^Note (\d+)/.exec(text.content)?.[1] ?? [])
  const lastNumbers = [...new Set(numbers)].slice(-3)
  return [
    search('notes', /\bnotes?\b/i),
    search('garden.example', /\bgarden\.example\b/i),
    ...lastNumbers.map((number) => search(number, new RegExp(`\\b${number}\\b`))),
    ...lastNumbers.map((number) => search(`"note ${number}"`, new RegExp(`note ${number}\\b`, 'i'))),
  ]
}

/** Removes the targets of links and the ids in mentions, because a search finds only the visible text. */
const removeHiddenParts = (content: string): string =>
  content.replace(/\]\([^)]*\)/g, ']').replace(/\|\d+\*\*/g, '**')

const conversationOf = ({ people }: Message): [string, readonly Sender[]][] =>
  people ? [[people.join(), people]] : []

/** Returns whether the user can distinguish the stream from one that does not exist. */
function isKnown(model: Model, name: Name, stream: Stream): boolean {
  if (stream.everMembers.has(name)) return true
  const isOpen = stream.kind === 'public' && !isGuest(model, name)
  return !stream.isArchived && (isOpen || isAdministrator(model.accounts[name].role))
}

/** Returns conditions by the stream's id, and by its name while the name is in use. */
function inStream({ model, name }: Viewer, stream: Stream): Condition[] {
  const condition = {
    fits: ({ people, streamId }: Message) => !people && streamId === stream.id,
    history: showsHistory(model, name, stream),
    namesStream: true as const,
  }
  const byId = { ...condition, term: term('stream', stream.id) }
  return stream.isArchived ? [byId] : [byId, { ...condition, term: term('stream', stream.name) }]
}

function publicStreams({ model, name }: Viewer): Condition {
  return {
    term: term('streams', 'public'),
    fits: ({ people, streamId }) => !people && isPublic(streamOf(model, streamId)),
    ...(!isGuest(model, name) && { history: true }),
  }
}

const inTopic = (topic: string): Condition => ({
  term: term('topic', topic),
  fits: (message) => !message.people && foldTopic(message.topic) === foldTopic(topic),
})

const fromSender = ({ idOf }: Viewer, sender: Sender): Condition => ({
  term: term('sender', idOf(sender)),
  fits: (message) => message.sender === sender,
})

function inConversation({ name, idOf }: Viewer, people: readonly Sender[]): Condition {
  const members = new Set<Sender>([...people, name])
  const operand = people.length > 0 ? people.map(idOf) : [idOf(name)]
  return {
    term: term('pm-with', operand),
    fits: (message) =>
      message.people?.length === members.size && message.people.every((person) => members.has(person)),
  }
}

const inGroupWith = ({ name, idOf }: Viewer, other: Sender): Condition => ({
  term: term('group-pm-with', idOf(other)),
  fits: ({ people }) => !!people && people.length > 2 && people.includes(name) && people.includes(other),
})

function listIsConditions({ model, name }: Viewer): Condition[] {
  const noteOf = ({ notes }: Message) => notes.get(name)
  const kinds: Record<string, (message: Message) => boolean> = {
    private: ({ people }) => people !== null,
    starred: (message) => noteOf(message)?.isStarred ?? false,
    unread: ({ unreadBy }) => unreadBy.has(name),
    mentioned: (message) =>
      (noteOf(message)?.isMentioned ?? false) ||
      (message.text.mentionsAll && isReceived(model, name, message)),
    alerted: (message) => noteOf(message)?.isAlerted ?? false,
  }
  return Object.entries(kinds).map(([kind, fits]) => ({ term: term('is', kind), fits }))
}

/** Returns the negated condition. The server ignores negation of `in` and `search`. */
export function negate({ term, fits, namesStream }: Condition): Condition {
  const negated = { ...term, negated: true }
  if (term.operator === 'in' || term.operator === 'search') return { term: negated, fits }
  return { term: negated, fits: (message) => !fits(message), ...(namesStream && { namesStream }) }
}

/**
 * Returns all messages that match, by id: among the viewer's received messages, or among all
 * readable ones if the narrow includes history.
 */
export function listFitting({ model, name }: Viewer, narrow: readonly Condition[]): Message[] {
  const historyCondition = narrow.findLast(({ history }) => history !== undefined)
  const hasIsTerm = narrow.some(({ term }) => term.operator === 'is')
  const isIncluded = historyCondition?.history && !hasIsTerm ? isReadable : isReceived
  return [...model.messages.values()]
    .filter((message) => isIncluded(model, name, message) && narrow.every(({ fits }) => fits(message)))
    .sort((a, b) => a.id - b.id)
}

/** Returns the oldest unread message that is not muted. Muting is ignored if the narrow names a stream. */
export function findFirstUnread(viewer: Viewer, narrow: readonly Condition[]): Message | undefined {
  const isExcluded = narrow.some(({ namesStream }) => namesStream) ? isTopicMuted : isMuted
  const received = [...viewer.model.messages.values()].filter((message) =>
    isReceived(viewer.model, viewer.name, message),
  )
  return received
    .filter((message) => narrow.every(({ fits }) => fits(message)))
    .filter((message) => message.unreadBy.has(viewer.name) && !isExcluded(viewer, message))
    .sort((a, b) => a.id - b.id)[0]
}
