import { expectEvent, expectMove, expectNewMessage, losesByMove } from './audience.ts'
import {
  alerted,
  hasMessage,
  inTopic,
  isBot,
  isDelivered,
  isReadable,
  isReceived,
  type Message,
  type Model,
  type Name,
  type Note,
  names,
  type Sender,
  streamOf,
  type Text,
} from './model.ts'

export function join(model: Model, stream: number, people: readonly Name[]): void {
  const { members, everMembers } = streamOf(model, stream)
  for (const name of people) {
    members.add(name)
    everMembers.add(name)
    for (const { streamId, knownTo, submessages } of model.messages.values()) {
      if (streamId !== stream) continue
      knownTo?.add(name)
      for (const added of submessages) added.knownTo.add(name)
    }
  }
}

export function leave(model: Model, stream: number, people: readonly Name[]): void {
  if (people.length > 0) streamOf(model, stream).lastLeavers = new Set(people)
  for (const name of people) {
    streamOf(model, stream).members.delete(name)
    markStreamRead(model, stream, name)
  }
}

/** Marks the messages of a stream as read for a user who leaves it. */
function markStreamRead({ messages }: Model, stream: number, name: Name): void {
  for (const message of messages.values()) {
    if (message.people) continue
    if (message.sentTo === stream) message.stayers.delete(name)
    if (message.streamId === stream) markReadForGood(message, name)
  }
}

function markReadForGood({ followers, unreadBy }: Message, name: Name): void {
  followers.delete(name)
  unreadBy.delete(name)
}

export function archive(model: Model, stream: number): void {
  const archived = streamOf(model, stream)
  leave(model, stream, [...archived.members])
  archived.isArchived = true
}

/** Reactivates a user, who stays subscribed but received no messages meanwhile. */
export function reactivate(model: Model, name: Name): void {
  model.accounts[name].isActive = true
  for (const { id, members } of model.streams.values()) if (members.has(name)) markStreamRead(model, id, name)
}

export interface Sending {
  id: number
  sender: Sender
  to: { stream: number; topic: string } | { people: readonly Sender[] }
  text: Text
  claims: ReadonlySet<string>
  isReadBySender: boolean
}

export function addMessage(model: Model, { id, sender, to, text, claims, isReadBySender }: Sending): Message {
  const isActive = (name: Name) => model.accounts[name].isActive
  const [stream, topic] = 'stream' in to ? [to.stream, to.topic] : [0, '']
  const people = 'people' in to ? to.people : null
  const recipients = people
    ? names.filter((name) => people.includes(name))
    : [...streamOf(model, stream).members].filter(isActive)
  const message: Message = {
    ...{ id, sender, people, text, topic, sentTo: stream, streamId: stream, edits: [], notes: new Map() },
    claims,
    reactions: new Set(),
    submessages: [],
    receivers: new Set(recipients),
    unreadBy: new Set(recipients),
    followers: new Set(recipients),
    stayers: new Set(recipients),
    knownTo: null,
  }
  if (isReadBySender && sender !== 'notices') message.unreadBy.delete(sender)
  const mentionedBots = text.mentions.filter((name) => isBot(name) && isActive(name) && !people)
  for (const name of new Set([...recipients, ...mentionedBots])) updateNote(model, name, message)
  model.messages.set(id, message)
  model.changes.messages.add(id)
  expectNewMessage(model, message)
  return message
}

const emptyNote: Note = {
  isStarred: false,
  isCollapsed: false,
  isMentioned: false,
  isAlerted: false,
  isHistorical: false,
}
const isEmptyNote = (note: Note): boolean => !Object.values(note).includes(true)

function changeNote(model: Model, name: Name, message: Message, change: Partial<Note>): void {
  const note = { ...(message.notes.get(name) ?? emptyNote), ...change }
  // A note is kept if it is the user's only relation to the message.
  const isRemovable = isEmptyNote(note) && (isDelivered(model, name, message) || !message.notes.has(name))
  if (isRemovable) message.notes.delete(name)
  else message.notes.set(name, note)
}

/** Updates whether the text of a message mentions or alerts a user who has it. */
function updateNote(model: Model, name: Name, message: Message): void {
  const { mentions, hasAlertWord } = message.text
  const isMentioned = mentions.includes(name) && model.accounts[name].isActive
  changeNote(model, name, message, { isMentioned, isAlerted: hasAlertWord && alerted.includes(name) })
}

/** Returns whether an edit may change a user's note. Deactivated users get no new notes. */
function canChangeNote(model: Model, name: Name, message: Message): boolean {
  if (message.people || message.notes.has(name)) return hasMessage(model, name, message)
  return model.accounts[name].isActive && isDelivered(model, name, message)
}

/** The messages that an edit of the topic or stream applies to. */
export type Mode = 'change_one' | 'change_later' | 'change_all'

function selectMessages(model: Model, message: Message, mode: Mode): Message[] {
  if (mode === 'change_one') return [message]
  return inTopic(model, message.streamId, message.topic).filter(
    ({ id }) => mode === 'change_all' || id >= message.id,
  )
}

export interface Change {
  text?: Text | undefined
  /** URIs of uploads that the new text refers to. */
  claims?: ReadonlySet<string> | undefined
  topic?: string | undefined
  mode: Mode
}

/**
 * Edits a message within its stream. New content applies only to the message itself; a new topic
 * applies to all messages of `mode`.
 */
export function edit(model: Model, message: Message, by: Name, { text, claims, topic, mode }: Change): void {
  const movedMessages = topic === undefined ? [] : selectMessages(model, message, mode)
  message.edits.push({
    by,
    ...(text && { previousContent: message.text.content }),
    ...(topic !== undefined && { previousTopic: message.topic }),
  })
  if (text) {
    message.text = text
    message.claims = claims ?? new Set()
    recordNewVersion(model, message)
    for (const name of names) if (canChangeNote(model, name, message)) updateNote(model, name, message)
    expectEvent(model, message, `content ${text.content}`)
  }
  for (const message of movedMessages) {
    if (topic !== undefined && topic !== message.topic) recordNewVersion(model, message)
    message.topic = topic ?? message.topic
    model.changes.messages.add(message.id)
    expectEvent(model, message, `topic ${topic}`)
  }
}

/** Records that only current subscribers of the stream have seen the new version. */
function recordNewVersion(model: Model, message: Message): void {
  if (!message.people) message.knownTo = new Set(streamOf(model, message.streamId).members)
  // A user who can read this version had access to the stream after the submessages were added.
  for (const added of message.submessages) added.knownTo = new Set(names)
}

export function move(
  model: Model,
  message: Message,
  by: Name,
  to: number,
  topic: string | undefined,
  mode: Mode,
): void {
  const movedMessages = selectMessages(model, message, mode)
  const previousTopic = topic === undefined ? {} : { previousTopic: message.topic }
  message.edits.push({ by, previousStream: message.streamId, ...previousTopic })
  const stream = streamOf(model, to)
  for (const message of movedMessages) {
    expectMove(model, message, stream, topic === undefined ? `to ${to}` : `to ${to} topic ${topic}`)
    message.earlierStreams = (message.earlierStreams ?? new Set()).add(message.streamId)
    message.streamId = to
    recordNewVersion(model, message)
    message.topic = topic ?? message.topic
    model.changes.messages.add(message.id)
    for (const name of names) {
      if (losesByMove(model, name, stream)) message.notes.delete(name)
      const isBackHome = to !== message.sentTo || message.stayers.has(name)
      if (!stream.members.has(name) || !isBackHome) markReadForGood(message, name)
    }
  }
}

export function deleteMessage(model: Model, message: Message): void {
  expectEvent(model, message, 'delete')
  model.messages.delete(message.id)
  for (const uri of message.claims) {
    const isClaimed = [...model.messages.values()].some(({ claims }) => claims.has(uri))
    if (!isClaimed) model.files.delete(uri)
  }
}

export type Flag = 'starred' | 'collapsed' | 'read'
export interface Flagging {
  by: Name
  flag: Flag
  isAdded: boolean
  messages: readonly number[]
}

/**
 * Returns the messages whose flag the user may change: received messages, or a single readable
 * message to star.
 */
export function listFlaggable(model: Model, { by, flag, messages }: Flagging): Message[] {
  const affected = [...new Set(messages)].flatMap((id) => model.messages.get(id) ?? [])
  const received = affected.filter((message) => isReceived(model, by, message))
  const isStar = flag === 'starred' && messages.length === 1
  return received.length === 0 && isStar
    ? affected.filter((message) => isReadable(model, by, message))
    : received
}

export function changeFlag(model: Model, flagging: Flagging): void {
  const { by, flag, isAdded } = flagging
  for (const message of listFlaggable(model, flagging)) {
    if (flag === 'read') setRead(message, by, isAdded)
    else if (isReceived(model, by, message))
      changeNote(model, by, message, flag === 'starred' ? { isStarred: isAdded } : { isCollapsed: isAdded })
    else if (isAdded) changeNote(model, by, message, { isStarred: true, isHistorical: true })
    if (flag === 'starred') model.changes.stars.add(`${by} ${message.id}`)
  }
}

function setRead(message: Message, name: Name, isRead: boolean): void {
  if (isRead) message.unreadBy.delete(name)
  else if (message.followers.has(name)) message.unreadBy.add(name)
}

/** Adds a reaction. A user who had not received the message gets a historical copy of it. */
export function react(model: Model, message: Message, by: Name, emoji: string): void {
  if (!isReceived(model, by, message)) changeNote(model, by, message, { isHistorical: true })
  message.reactions.add(`${by} ${emoji}`)
  expectEvent(model, message, `add ${emoji} by ${by}`)
  model.changes.stars.add(`${by} ${message.id}`)
}

export function removeReaction(model: Model, message: Message, by: Name, emoji: string): void {
  expectEvent(model, message, `remove ${emoji} by ${by}`)
  message.reactions.delete(`${by} ${emoji}`)
  model.changes.stars.add(`${by} ${message.id}`)
}

/**
 * Returns whether the user may add a submessage. Only the sender of the message may add the first
 * one.
 */
export function canAddSubmessage({ sender, submessages }: Message, by: Name): boolean {
  return sender === by || submessages.some((added) => added.by === sender)
}

export function addSubmessage(model: Model, message: Message, by: Name, content: string): void {
  const knownTo = message.people ? [] : streamOf(model, message.streamId).members
  message.submessages.push({ by, content, knownTo: new Set(knownTo) })
  expectEvent(model, message, `submessage ${content} by ${by}`)
}

/**
 * Marks all messages as read. Messages of the same round become uncertain, because only the server knows
 * the order.
 */
export function markAllRead({ messages, changes }: Model, name: Name): void {
  for (const message of messages.values()) {
    if (message.unreadBy.delete(name) && changes.messages.has(message.id))
      changes.uncertain.add(`${name} ${message.id}`)
  }
}

/**
 * Marks messages of a stream or topic as read. `listedIds` has the ids that the event lists;
 * messages of the same round become read only if they are listed.
 */
export function markListedRead(
  { messages, changes }: Model,
  name: Name,
  isThere: (message: Message) => boolean,
  listedIds: readonly number[],
): void {
  for (const message of messages.values()) {
    const isCertain = isThere(message) && !changes.messages.has(message.id)
    if (isCertain || listedIds.includes(message.id)) message.unreadBy.delete(name)
  }
}

/** Resolves whether uncertain messages are unread, by the server's list of unread ids. */
export function resolveUncertain(
  { messages, changes }: Model,
  name: Name,
  unread: ReadonlySet<number>,
): void {
  for (const [id, message] of messages) {
    if (!changes.uncertain.delete(`${name} ${id}`) || !unread.has(id)) continue
    setRead(message, name, false)
  }
}
