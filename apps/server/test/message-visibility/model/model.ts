import { Role } from '@oxbow/contract'

/** Users in the stories. Each of them reads, and every response is compared with the model. */
export const names = ['owner', 'ada', 'mia', 'nora', 'gus', 'gwen', 'robin'] as const
export type Name = (typeof names)[number]
/** A user, or the notification bot, which informs users about actions of others. */
export type Sender = Name | 'notices'

interface Account {
  role: Role
  isActive: boolean
}

export type Kind = 'public' | 'shared' | 'protected'

export interface Stream {
  id: number
  name: string
  kind: Kind
  isArchived: boolean
  members: Set<Name>
  everMembers: Set<Name>
  /** Users who left last, in one step. For an archived stream, its last subscribers. */
  lastLeavers: Set<Name>
}

/** The content of a message, with the mentions, alerts and links that the server finds in it. */
export interface Text {
  content: string
  mentions: readonly Name[]
  mentionsAll: boolean
  hasLink: boolean
  hasAlertWord: boolean
  /** URIs of uploads that it links to. */
  files: readonly string[]
}

/** A user's own data about a message. */
export interface Note {
  isStarred: boolean
  isCollapsed: boolean
  isMentioned: boolean
  isAlerted: boolean
  /** Whether the user did not receive the message, but found it in the history. */
  isHistorical: boolean
}

export interface Edit {
  by: Name
  previousContent?: string
  previousTopic?: string
  previousStream?: number
}

export interface AddedSubmessage {
  by: Name
  content: string
  /**
   * Users who were subscribed at some time since the submessage was added, or may see it with a
   * later version.
   */
  knownTo: Set<Name>
}

export interface Message {
  id: number
  sender: Sender
  /** Participants of a private conversation; null for a message to a stream. */
  people: readonly Sender[] | null
  sentTo: number
  streamId: number
  topic: string
  text: Text
  /** URIs of the uploads that readers of the message may read. */
  claims: ReadonlySet<string>
  edits: Edit[]
  /** Streams that the message was moved out of. */
  earlierStreams?: Set<number>
  /** Active subscribers when the message was sent. */
  receivers: Set<Name>
  notes: Map<Name, Note>
  /** Reactions as `name emoji`. */
  reactions: Set<string>
  submessages: AddedSubmessage[]
  unreadBy: Set<Name>
  /**
   * Recipients who stayed subscribed to every stream that the message was in. For all others, the
   * message is always read.
   */
  followers: Set<Name>
  /**
   * Recipients who stayed subscribed to the stream that the message was sent to, even if it was
   * moved since.
   */
  stayers: Set<Name>
  /**
   * Users who were subscribed at some time since the content, topic or stream last changed; null if
   * nothing changed.
   */
  knownTo: Set<Name> | null
}

/** An event about a message, with the users who should get it. */
export interface ExpectedEvent {
  message: number
  what: string
  to: ReadonlySet<Name>
  /** Users whose queues get the event if they were registered with `all_public_streams`. */
  toAllPublic: ReadonlySet<Name>
  /**
   * Users who may or may not get the event, because their star or reaction changed at about the
   * same time.
   */
  uncertainTo: ReadonlySet<Name>
  /**
   * For a new message: the name of the stream that it was sent to, its topic, and the flags of each
   * recipient.
   */
  sent?: { stream: string | null; topic: string; flags: Map<Name, string[]> }
}

/** The expected state of the server as plain data, independent of the server's code. */
export interface Model {
  accounts: Record<Name, Account>
  streams: Map<number, Stream>
  messages: Map<number, Message>
  /** Owners of the uploads that exist, by URI. */
  files: Map<string, Name>
  expectedEvents: ExpectedEvent[]
  /** Changes of the current round. Its concurrent actions may not see each other's changes. */
  changes: RoundChanges
}

export interface RoundChanges {
  /** Ids of messages that were sent or moved. */
  messages: Set<number>
  /** Changed stars and reactions, as `name id`. */
  stars: Set<string>
  /**
   * Messages, as `name id`, that were sent while all messages were marked as read. Only the server
   * knows whether they are unread.
   */
  uncertain: Set<string>
}

export const noChanges = (): RoundChanges => ({ messages: new Set(), stars: new Set(), uncertain: new Set() })

export const isGuest = ({ accounts }: Model, name: Name): boolean => accounts[name].role === Role.guest
export const isBot = (name: Sender): boolean => name === 'robin' || name === 'notices'
/** Users who have the alert word. */
export const alerted: readonly Name[] = ['nora', 'gus']

export function streamOf({ streams }: Model, id: number): Stream {
  const stream = streams.get(id)
  if (!stream) throw new Error(`the model has no stream ${id}`)
  return stream
}

export const isPublic = ({ kind, isArchived }: Stream): boolean => kind === 'public' && !isArchived

/**
 * Returns whether the user received the message when it was sent. A guest loses it when it is moved
 * to a stream that the guest was never subscribed to.
 */
export function isDelivered(model: Model, name: Name, message: Message): boolean {
  if (message.people) return message.people.includes(name)
  const isMoved = message.streamId !== message.sentTo
  const knowsStream =
    !isGuest(model, name) || !isMoved || streamOf(model, message.streamId).everMembers.has(name)
  return message.receivers.has(name) && knowsStream
}

/** Returns whether the user received the message or found it in the history. */
export function hasMessage(model: Model, name: Name, message: Message): boolean {
  return isDelivered(model, name, message) || (!message.people && message.notes.has(name))
}

const isVisibleWithoutSubscription = (model: Model, name: Name, { streamId }: Message): boolean =>
  isPublic(streamOf(model, streamId)) && !isGuest(model, name)

/** Returns whether the user can read the current version, or could read it when they last had access. */
function knowsCurrentVersion(model: Model, name: Name, message: Message): boolean {
  if (message.people || !message.knownTo) return true
  return message.knownTo.has(name) || canAccessStream(model, name, message)
}

/**
 * Returns whether the user may read the message regardless of subscriptions, unless it changed
 * after they left a stream that is closed to them.
 */
export function isReceived(model: Model, name: Name, message: Message): boolean {
  return hasMessage(model, name, message) && knowsCurrentVersion(model, name, message)
}

/**
 * Returns whether the user is subscribed, could subscribe, or was subscribed when the stream was archived.
 */
export function canAccessStream(model: Model, name: Name, message: Message): boolean {
  if (message.people) return true
  const { members, isArchived, lastLeavers } = streamOf(model, message.streamId)
  if (isArchived) return lastLeavers.has(name)
  return members.has(name) || isVisibleWithoutSubscription(model, name, message)
}

/** Returns whether the user may react to the message, delete it, or edit it if it is their own. */
export function isChangeable(model: Model, name: Name, message: Message): boolean {
  return isReadable(model, name, message) && canAccessStream(model, name, message)
}

/** Returns the submessages of a readable message that the server shows to the user. */
export function shownSubmessages(model: Model, name: Name, message: Message): AddedSubmessage[] {
  if (canAccessStream(model, name, message)) return message.submessages
  return message.submessages.filter(({ knownTo }) => knownTo.has(name))
}

/** Returns whether the stream shows the user messages from before their subscription. */
export function showsHistory(model: Model, name: Name, stream: Stream): boolean {
  if (stream.isArchived || stream.kind === 'protected') return false
  return stream.members.has(name) || (stream.kind === 'public' && !isGuest(model, name))
}

export function isReadable(model: Model, name: Name, message: Message): boolean {
  if (isReceived(model, name, message)) return true
  return !message.people && showsHistory(model, name, streamOf(model, message.streamId))
}

/** Returns whether the user owns the file, or may read a message that refers to it. */
export function canReadFile(model: Model, name: Name, uri: string): boolean {
  const owner = model.files.get(uri)
  if (owner === undefined || owner === name) return owner === name
  return [...model.messages.values()].some(
    (message) => message.claims.has(uri) && isReadable(model, name, message),
  )
}

/**
 * Returns the edits that the server shows to a user. Edits from before the message left a stream
 * that the user cannot access are omitted, and the move itself has no details. Returns none at all
 * if that move left no edit.
 */
export function shownEdits(model: Model, name: Name, message: Message): Edit[] {
  const isOpen = (id: number) => {
    const stream = streamOf(model, id)
    return !stream.isArchived && (stream.members.has(name) || (isPublic(stream) && !isGuest(model, name)))
  }
  const hidden = [...(message.earlierStreams ?? [])].filter((id) => !isOpen(id))
  if (hidden.length === 0) return message.edits
  if (!hidden.every((id) => message.edits.some((edit) => edit.previousStream === id))) return []
  const isFromHidden = ({ previousStream }: Edit) =>
    previousStream !== undefined && hidden.includes(previousStream)
  const last = message.edits.findLastIndex(isFromHidden)
  const [move, ...later] = message.edits.slice(last)
  return move ? [{ by: move.by }, ...later] : later
}

/** Returns the user's flags in the protocol's order. */
export function flagsOf(model: Model, name: Name, message: Message): string[] {
  return isReceived(model, name, message) ? flagsIfReceived(name, message) : ['read', 'historical']
}

/** Returns the flags that the user would have if they received the message. */
export function flagsIfReceived(name: Name, message: Message): string[] {
  const note = message.notes.get(name)
  return [
    ...(message.unreadBy.has(name) ? [] : ['read']),
    ...(note?.isStarred ? ['starred'] : []),
    ...(note?.isCollapsed ? ['collapsed'] : []),
    ...(note?.isMentioned ? ['mentioned'] : []),
    ...(message.text.mentionsAll ? ['wildcard_mentioned'] : []),
    ...(note?.isAlerted ? ['has_alert_word'] : []),
    ...(note?.isHistorical ? ['historical'] : []),
  ]
}

export const foldTopic = (topic: string): string => topic.toLowerCase()

export function inTopic({ messages }: Model, stream: number, topic: string): Message[] {
  return [...messages.values()]
    .filter(
      (message) =>
        !message.people && message.streamId === stream && foldTopic(message.topic) === foldTopic(topic),
    )
    .sort((a, b) => a.id - b.id)
}
