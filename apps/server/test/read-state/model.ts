import {
  compareCodePoints,
  type MessageFlag,
  type MessageId,
  type StreamId,
  type UnreadMessages,
  type UserId,
} from '@oxbow/contract'

/** Users in the stories. `owner` may do everything, `gus` is a guest. */
export const names = ['owner', 'mia', 'nora', 'gus'] as const
export type Name = (typeof names)[number]

export interface ModelStream {
  id: StreamId
  name: string
  members: Set<Name>
  everMembers: Set<Name>
  mutedBy: Set<Name>
}

export interface ModelMessage {
  id: MessageId
  sender: Name
  /**
   * The stream that the message was sent to; `place` is its current stream. Both are undefined for
   * a private message, which has `people`.
   */
  sent: ModelStream | undefined
  place: ModelStream | undefined
  people: Name[]
  topic: string
  /** Users who received the message. */
  delivered: Set<Name>
  /**
   * Users for whom the message can be unread: recipients who stayed subscribed to every stream that
   * it was in.
   */
  along: Set<Name>
  /**
   * Users of `along` who left the stream that the message was sent to. If it is moved back there,
   * it is read for them.
   */
  gone: Set<Name>
  read: Set<Name>
  mentioned: Set<Name>
  mentionsAll: boolean
  starred: Set<Name>
  collapsed: Set<Name>
  /** Users who found the message in the history. */
  historical: Set<Name>
  /**
   * Guests who were not subscribed to the stream when the message last changed. They no longer see
   * it, until they subscribe again.
   */
  hidden: Set<Name>
}

/**
 * The expected state, for each message and each user separately, independent of how the server
 * stores read positions.
 */
export interface Model {
  streams: ModelStream[]
  messages: ModelMessage[]
  /** Muted topics as `name stream topic`, such as `mia 4 weeds`. */
  mutedTopics: Set<string>
}

const isGuest = (name: Name) => name === 'gus'

export const topicKey = (name: Name, { id }: ModelStream, topic: string): string =>
  `${name} ${id} ${topic.toLowerCase()}`

export function isUnread(name: Name, { along, read }: ModelMessage): boolean {
  return along.has(name) && !read.has(name)
}

/** Returns whether the user received the message and has not lost access to it by a change. */
export function isReceived(name: Name, message: ModelMessage): boolean {
  return !message.hidden.has(name) && wasReceived(name, message)
}

function wasReceived(name: Name, message: ModelMessage): boolean {
  const { delivered, historical, starred, collapsed, mentioned, sent, place } = message
  if ([historical, starred, collapsed, mentioned].some((set) => set.has(name))) return true
  const knowsPlace = !isGuest(name) || sent === place || place?.everMembers.has(name) === true
  return delivered.has(name) && knowsPlace
}

/** Returns whether the user can read the message. All streams are public. */
export function isReadable(name: Name, message: ModelMessage): boolean {
  const { place } = message
  if (isReceived(name, message)) return true
  return place !== undefined && (!isGuest(name) || place.members.has(name))
}

export const unreadOf = ({ messages }: Model, name: Name): ModelMessage[] =>
  messages.filter((message) => isUnread(name, message)).sort((a, b) => a.id - b.id)

function isMuted({ mutedTopics }: Model, name: Name, { place, topic }: ModelMessage): boolean {
  return place !== undefined && (place.mutedBy.has(name) || mutedTopics.has(topicKey(name, place, topic)))
}

export function newMessage(
  id: MessageId,
  sender: Name,
  to: ModelStream | undefined,
  fields: Partial<ModelMessage>,
): ModelMessage {
  const people = fields.people ?? []
  const receivers = to ? [...to.members] : people
  return {
    id,
    sender,
    sent: to,
    place: to,
    people,
    topic: '',
    delivered: new Set(receivers),
    along: new Set(receivers),
    gone: new Set(),
    read: new Set(),
    mentioned: new Set(),
    mentionsAll: false,
    starred: new Set(),
    collapsed: new Set(),
    historical: new Set(),
    hidden: new Set(),
    ...fields,
  }
}

export function add(model: Model, message: ModelMessage): void {
  model.messages.push(message)
  model.messages.sort((a, b) => a.id - b.id)
}

export function leave({ messages }: Model, stream: ModelStream, name: Name): void {
  if (!stream.members.delete(name)) return
  for (const message of messages) {
    if (message.place === stream) message.along.delete(name)
    if (message.sent === stream) message.gone.add(name)
  }
}

export function join({ messages }: Model, stream: ModelStream, name: Name): void {
  stream.members.add(name)
  stream.everMembers.add(name)
  for (const { place, hidden } of messages) if (place === stream) hidden.delete(name)
}

/** Records a change, whose result is hidden from guests who are not subscribed. */
export function recordChange({ place, hidden }: ModelMessage): void {
  for (const name of names) {
    if (isGuest(name) && place && !place.members.has(name)) hidden.add(name)
    else hidden.delete(name)
  }
}

export function move(message: ModelMessage, to: ModelStream, topic: string | undefined): void {
  message.place = to
  message.topic = topic ?? message.topic
  for (const name of names) {
    const isBack = message.sent === to && message.gone.has(name)
    if (!to.members.has(name) || isBack) message.along.delete(name)
    if (!isGuest(name) || to.everMembers.has(name)) continue
    for (const set of [message.starred, message.collapsed, message.mentioned, message.historical])
      set.delete(name)
  }
}

interface Topic {
  place: ModelStream
  topic: string
}

export const isEmptyTopic = ({ messages }: Model, { place, topic }: Topic): boolean =>
  !messages.some((message) => message.place === place && message.topic.toLowerCase() === topic.toLowerCase())

/** Moves what was muted with a topic that was moved whole, unless the new place has messages of its own. */
export function moveMuting({ mutedTopics }: Model, from: Topic, to: Topic, isNewTopic: boolean): void {
  for (const name of names) {
    const wasMuted = mutedTopics.delete(topicKey(name, from.place, from.topic))
    const sees = !isGuest(name) || to.place.members.has(name)
    if (wasMuted && isNewTopic && sees) mutedTopics.add(topicKey(name, to.place, to.topic))
  }
}

/** Expected unread and starred messages of a user. */
export interface ReadState {
  unread: Omit<UnreadMessages, 'streams'> & {
    streams: { stream_id: StreamId; topic: string; unread_message_ids: MessageId[]; sender_ids: UserId[] }[]
  }
  unreadIds: MessageId[]
  firstUnread: number
  flags: Record<string, MessageFlag[]>
  newest: number
  starred: MessageId[]
}

export function readStateOf(model: Model, name: Name, idOf: (name: Name) => UserId): ReadState {
  const unread = unreadOf(model, name)
  const received = model.messages.filter((message) => isReceived(name, message))
  const loud = unread.filter((message) => !isMuted(model, name, message))
  const ids = (messages: ModelMessage[]) => messages.map(({ id }) => id)
  const groups = <Key>(
    messages: ModelMessage[],
    keyOf: (message: ModelMessage) => string,
    view: (of: ModelMessage) => Key,
  ) =>
    [...Map.groupBy(messages, keyOf).values()].map((group) => ({
      ...view(group[0] as ModelMessage),
      unread_message_ids: ids(group),
    }))
  const isWildcard = ({ mentionsAll, mentioned }: ModelMessage) => mentionsAll && !mentioned.has(name)
  const private_ = unread.filter(({ place }) => place === undefined)
  const everyone = ({ people }: ModelMessage) =>
    people
      .map(idOf)
      .sort((a, b) => a - b)
      .join()
  const other = ({ people }: ModelMessage) => idOf(people.find((person) => person !== name) ?? name)
  const inStreams = unread.filter(({ place }) => place !== undefined)
  const sendersOf = (stream_id: StreamId, topic: string) =>
    [
      ...new Set(
        inStreams.flatMap((message) =>
          message.place?.id === stream_id && message.topic === topic ? [idOf(message.sender)] : [],
        ),
      ),
    ].sort((a, b) => a - b)
  return {
    unread: {
      count: loud.length,
      pms: groups(
        private_.filter(({ people }) => people.length <= 2),
        everyone,
        (message) => ({ sender_id: other(message) }),
      ).sort((a, b) => a.sender_id - b.sender_id),
      streams: groups(
        inStreams,
        ({ place, topic }) => `${place?.id} ${topic}`,
        ({ place, topic }) => ({
          stream_id: place?.id as StreamId,
          topic,
          sender_ids: sendersOf(place?.id as StreamId, topic),
        }),
      ).sort((a, b) => a.stream_id - b.stream_id || compareCodePoints(a.topic, b.topic)),
      huddles: groups(
        private_.filter(({ people }) => people.length > 2),
        everyone,
        (message) => ({ user_ids_string: everyone(message) }),
      ).sort((a, b) => compareCodePoints(a.user_ids_string, b.user_ids_string)),
      mentions: ids(
        unread.filter(
          (message) => message.mentioned.has(name) || (isWildcard(message) && !isMuted(model, name, message)),
        ),
      ),
      wildcard_mentions: ids(unread.filter(isWildcard)),
    },
    unreadIds: ids(unread),
    firstUnread: loud[0]?.id ?? 10_000_000_000_000_000,
    flags: Object.fromEntries(received.map((message) => [message.id, flagsOf(name, message)])),
    newest:
      model.messages.findLast((message) => wasReceived(name, message) && !message.historical.has(name))?.id ??
      -1,
    starred: ids(model.messages.filter(({ starred }) => starred.has(name))),
  }
}

function flagsOf(name: Name, message: ModelMessage): MessageFlag[] {
  const flags: Partial<Record<MessageFlag, boolean>> = {
    read: !isUnread(name, message),
    starred: message.starred.has(name),
    collapsed: message.collapsed.has(name),
    mentioned: message.mentioned.has(name),
    wildcard_mentioned: message.mentionsAll,
    historical: message.historical.has(name),
  }
  return Object.entries(flags).flatMap(([flag, isSet]) => (isSet ? [flag as MessageFlag] : []))
}
