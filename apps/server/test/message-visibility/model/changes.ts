import { losesByMove, tell, tellMove, tellNew } from './hearing.ts'
import {
  alerted,
  hasCome,
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
    for (const { place, knownTo } of model.messages.values()) if (place === stream) knownTo?.add(name)
  }
}

export function leave(model: Model, stream: number, people: readonly Name[]): void {
  if (people.length > 0) streamOf(model, stream).lastLeavers = new Set(people)
  for (const name of people) {
    streamOf(model, stream).members.delete(name)
    leaveBehind(model, stream, name)
  }
}

/** Whoever leaves a stream has read what is in it. */
function leaveBehind({ messages }: Model, stream: number, name: Name): void {
  for (const message of messages.values()) {
    if (message.people) continue
    if (message.sentTo === stream) message.stayers.delete(name)
    if (message.place === stream) forget(message, name)
  }
}

function forget({ followers, unreadBy }: Message, name: Name): void {
  followers.delete(name)
  unreadBy.delete(name)
}

export function archive(model: Model, stream: number): void {
  const archived = streamOf(model, stream)
  leave(model, stream, [...archived.members])
  archived.isArchived = true
}

/** Whoever comes back is in the streams they were in, and nothing came to them meanwhile. */
export function reactivate(model: Model, name: Name): void {
  model.accounts[name].isActive = true
  for (const { id, members } of model.streams.values()) if (members.has(name)) leaveBehind(model, id, name)
}

export interface Sending {
  id: number
  sender: Sender
  to: { stream: number; topic: string } | { people: readonly Sender[] }
  text: Text
  isReadBySender: boolean
}

export function send(model: Model, { id, sender, to, text, isReadBySender }: Sending): Message {
  const isActive = (name: Name) => model.accounts[name].isActive
  const [stream, topic] = 'stream' in to ? [to.stream, to.topic] : [0, '']
  const people = 'people' in to ? to.people : null
  const came = people
    ? names.filter((name) => people.includes(name))
    : [...streamOf(model, stream).members].filter(isActive)
  const message: Message = {
    ...{ id, sender, people, text, topic, sentTo: stream, place: stream, edits: [], notes: new Map() },
    reactions: new Set(),
    receivers: new Set(came),
    unreadBy: new Set(came),
    followers: new Set(came),
    stayers: new Set(came),
    knownTo: null,
  }
  if (isReadBySender && sender !== 'notices') message.unreadBy.delete(sender)
  const called = text.mentions.filter((name) => isBot(name) && isActive(name) && !people)
  for (const name of new Set([...came, ...called])) noteText(model, name, message)
  model.messages.set(id, message)
  model.motion.messages.add(id)
  tellNew(model, message)
  return message
}

const nothing: Note = {
  isStarred: false,
  isCollapsed: false,
  isMentioned: false,
  isAlerted: false,
  isHistorical: false,
}
const saysNothing = (note: Note): boolean => !Object.values(note).includes(true)

function changeNote(model: Model, name: Name, message: Message, change: Partial<Note>): void {
  const note = { ...(message.notes.get(name) ?? nothing), ...change }
  // Where it is all that they have of the message it stays.
  const mayGo = saysNothing(note) && (isDelivered(model, name, message) || !message.notes.has(name))
  if (mayGo) message.notes.delete(name)
  else message.notes.set(name, note)
}

/** Whom a text mentions and alerts, of those who have the message. */
function noteText(model: Model, name: Name, message: Message): void {
  const { mentions, hasAlertWord } = message.text
  const isMentioned = mentions.includes(name) && model.accounts[name].isActive
  changeNote(model, name, message, { isMentioned, isAlerted: hasAlertWord && alerted.includes(name) })
}

/** Nothing new is noted for whoever is deactivated. */
function mayNote(model: Model, name: Name, message: Message): boolean {
  if (message.people || message.notes.has(name)) return hasCome(model, name, message)
  return model.accounts[name].isActive && isDelivered(model, name, message)
}

/** Which messages an edit takes along. */
export type Mode = 'change_one' | 'change_later' | 'change_all'

function takenAlong(model: Model, message: Message, mode: Mode): Message[] {
  if (mode === 'change_one') return [message]
  return inTopic(model, message.place, message.topic).filter(
    ({ id }) => mode === 'change_all' || id >= message.id,
  )
}

export interface Change {
  text?: Text | undefined
  topic?: string | undefined
  mode: Mode
}

/** In its place. Nobody but the message itself gets another text. */
export function edit(model: Model, message: Message, by: Name, { text, topic, mode }: Change): void {
  const taken = topic === undefined ? [] : takenAlong(model, message, mode)
  message.edits.push({
    by,
    ...(text && { previousContent: message.text.content }),
    ...(topic !== undefined && { previousTopic: message.topic }),
  })
  if (text) {
    message.text = text
    noteChange(model, message)
    for (const name of names) if (mayNote(model, name, message)) noteText(model, name, message)
    tell(model, message, `content ${text.content}`)
  }
  for (const each of taken) {
    if (topic !== undefined && topic !== each.topic) noteChange(model, each)
    each.topic = topic ?? each.topic
    model.motion.messages.add(each.id)
    tell(model, each, `topic ${topic}`)
  }
}

/** Those in its stream know what it became. */
function noteChange(model: Model, message: Message): void {
  if (!message.people) message.knownTo = new Set(streamOf(model, message.place).members)
}

export function move(
  model: Model,
  message: Message,
  by: Name,
  to: number,
  topic: string | undefined,
  mode: Mode,
): void {
  const taken = takenAlong(model, message, mode)
  const previousTopic = topic === undefined ? {} : { previousTopic: message.topic }
  message.edits.push({ by, previousStream: message.place, ...previousTopic })
  const stream = streamOf(model, to)
  for (const each of taken) {
    tellMove(model, each, stream, topic === undefined ? `to ${to}` : `to ${to} topic ${topic}`)
    each.earlierPlaces = (each.earlierPlaces ?? new Set()).add(each.place)
    each.place = to
    noteChange(model, each)
    each.topic = topic ?? each.topic
    model.motion.messages.add(each.id)
    for (const name of names) {
      if (losesByMove(model, name, stream)) each.notes.delete(name)
      const isBackHome = to !== each.sentTo || each.stayers.has(name)
      if (!stream.members.has(name) || !isBackHome) forget(each, name)
    }
  }
}

export function remove(model: Model, message: Message): void {
  tell(model, message, 'delete')
  model.messages.delete(message.id)
}

export type Flag = 'starred' | 'collapsed' | 'read'
export interface Flagging {
  by: Name
  flag: Flag
  isAdded: boolean
  messages: readonly number[]
}

/** What someone may say something of: what they received, or one message that they can read, to star it. */
export function flaggable(model: Model, { by, flag, messages }: Flagging): Message[] {
  const given = [...new Set(messages)].flatMap((id) => model.messages.get(id) ?? [])
  const received = given.filter((message) => isReceived(model, by, message))
  const isStar = flag === 'starred' && messages.length === 1
  return received.length === 0 && isStar
    ? given.filter((message) => isReadable(model, by, message))
    : received
}

export function changeFlag(model: Model, flagging: Flagging): void {
  const { by, flag, isAdded } = flagging
  for (const message of flaggable(model, flagging)) {
    if (flag === 'read') setRead(message, by, isAdded)
    else if (isReceived(model, by, message))
      changeNote(model, by, message, flag === 'starred' ? { isStarred: isAdded } : { isCollapsed: isAdded })
    else if (isAdded) changeNote(model, by, message, { isStarred: true, isHistorical: true })
    if (flag === 'starred') model.motion.stars.add(`${by} ${message.id}`)
  }
}

export function setRead(message: Message, name: Name, isRead: boolean): void {
  if (isRead) message.unreadBy.delete(name)
  else if (message.followers.has(name)) message.unreadBy.add(name)
}

/** Whoever reacts to what never came to them has come across it. */
export function react(model: Model, message: Message, by: Name, emoji: string): void {
  if (!isReceived(model, by, message)) changeNote(model, by, message, { isHistorical: true })
  message.reactions.add(`${by} ${emoji}`)
  tell(model, message, `add ${emoji} by ${by}`)
  model.motion.stars.add(`${by} ${message.id}`)
}

export function takeBack(model: Model, message: Message, by: Name, emoji: string): void {
  tell(model, message, `remove ${emoji} by ${by}`)
  message.reactions.delete(`${by} ${emoji}`)
  model.motion.stars.add(`${by} ${message.id}`)
}

/** Whether that reaches what is sent at the same time only the server knows. */
export function readAll({ messages, motion }: Model, name: Name): void {
  for (const message of messages.values()) {
    if (message.unreadBy.delete(name) && motion.messages.has(message.id))
      motion.unsure.add(`${name} ${message.id}`)
  }
}

/** A stream, or a topic of it. `told` is what the event lists; of what comes there at the same time it may have some or not. */
export function readPlace(
  { messages, motion }: Model,
  name: Name,
  isThere: (message: Message) => boolean,
  told: readonly number[],
): void {
  for (const message of messages.values()) {
    const isCertain = isThere(message) && !motion.messages.has(message.id)
    if (isCertain || told.includes(message.id)) message.unreadBy.delete(name)
  }
}

/** What the server said about what only it knows. */
export function settleUnread({ messages, motion }: Model, name: Name, unread: ReadonlySet<number>): void {
  for (const [id, message] of messages) {
    if (!motion.unsure.delete(`${name} ${id}`) || !unread.has(id)) continue
    setRead(message, name, false)
  }
}
