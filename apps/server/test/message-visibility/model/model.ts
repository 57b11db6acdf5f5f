import { Role } from '@oxbow/contract'

/** Whom the stories are about; everyone reads, and everything that is read is held against the model. */
export const names = ['owner', 'ada', 'mia', 'nora', 'gus', 'gwen', 'robin'] as const
export type Name = (typeof names)[number]
/** Also the server's own account, which tells people what others did to them. */
export type Sender = Name | 'notices'

export interface Account {
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
  /** Who left last, together: of an archived stream, who was in it to the end. */
  lastLeavers: Set<Name>
}

/** What someone wrote, and what is in it. */
export interface Text {
  content: string
  mentions: readonly Name[]
  mentionsAll: boolean
  hasLink: boolean
  hasAlertWord: boolean
}

/** What someone has of a message for themselves. */
export interface Note {
  isStarred: boolean
  isCollapsed: boolean
  isMentioned: boolean
  isAlerted: boolean
  /** It never came to them: they came across it. */
  isHistorical: boolean
}

export interface Edit {
  by: Name
  previousContent?: string
  previousTopic?: string
  previousStream?: number
}

export interface Message {
  id: number
  sender: Sender
  /** Everyone in the conversation, where it is private; such a message is in no stream. */
  people: readonly Sender[] | null
  sentTo: number
  place: number
  topic: string
  text: Text
  edits: Edit[]
  /** Streams that it was moved out of. */
  earlierPlaces?: Set<number>
  /** Who was in the stream when it was sent there. */
  receivers: Set<Name>
  notes: Map<Name, Note>
  /** Who reacted with what: `name emoji`. */
  reactions: Set<string>
  unreadBy: Set<Name>
  /** Who received it and has been where it is ever since. For others it is read for good. */
  followers: Set<Name>
  /** Who has been in the stream that it was sent to ever since, wherever it is. */
  stayers: Set<Name>
  /** Who was in its stream at some time since its text, topic or place last changed; null where nothing ever did. */
  knownTo: Set<Name> | null
}

/** That some hear of what happened to a message. */
export interface Telling {
  message: number
  what: string
  to: ReadonlySet<Name>
  /** Who hears of it if they asked for all public streams. */
  toAllPublic: ReadonlySet<Name>
  /** Who may hear of it or not: they starred the message or reacted to it, or no longer, at about the same time. */
  perhapsTo: ReadonlySet<Name>
  /** Of a new message: the name of where it was sent, and what it is to those whom it is meant for. */
  sent?: { stream: string | null; topic: string; flags: Map<Name, string[]> }
}

/** What should be so. Plain, and knowing nothing of how the server does it. */
export interface Model {
  accounts: Record<Name, Account>
  streams: Map<number, Stream>
  messages: Map<number, Message>
  told: Telling[]
  /** What is under way in this round, where two things that happen at once do not see each other. */
  motion: Motion
}

export interface Motion {
  /** Messages that were sent, or whose place changed. */
  messages: Set<number>
  /** Whose stars of which messages or reactions to them changed: `name id`. */
  stars: Set<string>
  /** Whether these are unread is for the server to say: they were sent as everything was marked read. */
  unsure: Set<string>
}

export const noMotion = (): Motion => ({ messages: new Set(), stars: new Set(), unsure: new Set() })

export const isGuest = ({ accounts }: Model, name: Name): boolean => accounts[name].role === Role.guest
export const isBot = (name: Sender): boolean => name === 'robin' || name === 'notices'
/** Whose alert word is in the texts that have one. */
export const alerted: readonly Name[] = ['nora', 'gus']

export function streamOf({ streams }: Model, id: number): Stream {
  const stream = streams.get(id)
  if (!stream) throw new Error(`the model has no stream ${id}`)
  return stream
}

export const isPublic = ({ kind, isArchived }: Stream): boolean => kind === 'public' && !isArchived

/** It came to them when it was sent. Guests know only the streams that they are or were in, so it may be taken away again. */
export function isDelivered(model: Model, name: Name, message: Message): boolean {
  if (message.people) return message.people.includes(name)
  const isMoved = message.place !== message.sentTo
  const knowsPlace = !isGuest(model, name) || !isMoved || streamOf(model, message.place).everMembers.has(name)
  return message.receivers.has(name) && knowsPlace
}

/** It came to them, or they came across it. */
export function hasCome(model: Model, name: Name, message: Message): boolean {
  return isDelivered(model, name, message) || (!message.people && message.notes.has(name))
}

const isOpenTo = (model: Model, name: Name, { place }: Message): boolean =>
  isPublic(streamOf(model, place)) && !isGuest(model, name)

/** They can read it as it is, or it is as it was when they last could. */
function isAsTheyKnewIt(model: Model, name: Name, message: Message): boolean {
  if (message.people || !message.knownTo) return true
  return message.knownTo.has(name) || isOpenTo(model, name, message)
}

/** It is theirs, wherever they are now, unless it changed after they left a stream that is closed to them. */
export function isReceived(model: Model, name: Name, message: Message): boolean {
  return hasCome(model, name, message) && isAsTheyKnewIt(model, name, message)
}

/** They are in its stream, could join it or were in it when it was archived. */
export function isInReach(model: Model, name: Name, message: Message): boolean {
  if (message.people) return true
  const { members, isArchived, lastLeavers } = streamOf(model, message.place)
  if (isArchived) return lastLeavers.has(name)
  return members.has(name) || isOpenTo(model, name, message)
}

/** They may edit it, as far as it is theirs, react to it or delete it. */
export function isChangeable(model: Model, name: Name, message: Message): boolean {
  return isReadable(model, name, message) && isInReach(model, name, message)
}

/** The stream shows them what was said before they came. */
export function showsHistory(model: Model, name: Name, stream: Stream): boolean {
  if (stream.isArchived || stream.kind === 'protected') return false
  return stream.members.has(name) || (stream.kind === 'public' && !isGuest(model, name))
}

export function isReadable(model: Model, name: Name, message: Message): boolean {
  if (isReceived(model, name, message)) return true
  return !message.people && showsHistory(model, name, streamOf(model, message.place))
}

/**
 * The edits that someone is shown: none from before the message left a stream that they cannot access, and of that move
 * itself nothing but that it was. Where the move left no edit, none at all.
 */
export function shownEdits(model: Model, name: Name, message: Message): Edit[] {
  const isOpen = (id: number) => {
    const stream = streamOf(model, id)
    return !stream.isArchived && (stream.members.has(name) || (isPublic(stream) && !isGuest(model, name)))
  }
  const hidden = [...(message.earlierPlaces ?? [])].filter((id) => !isOpen(id))
  if (hidden.length === 0) return message.edits
  if (!hidden.every((id) => message.edits.some((edit) => edit.previousStream === id))) return []
  const isFromHidden = ({ previousStream }: Edit) =>
    previousStream !== undefined && hidden.includes(previousStream)
  const last = message.edits.findLastIndex(isFromHidden)
  const [move, ...later] = message.edits.slice(last)
  return move ? [{ by: move.by }, ...later] : later
}

/** In the order of the protocol. */
export function flagsOf(model: Model, name: Name, message: Message): string[] {
  if (!isReceived(model, name, message)) return ['read', 'historical']
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
    .filter((each) => !each.people && each.place === stream && foldTopic(each.topic) === foldTopic(topic))
    .sort((a, b) => a.id - b.id)
}
