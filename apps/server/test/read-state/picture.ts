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

export interface PicturedStream {
  id: StreamId
  name: string
  members: Set<Name>
  everMembers: Set<Name>
  mutedBy: Set<Name>
}

export interface PicturedMessage {
  id: MessageId
  sender: Name
  /**
   * The stream that the message was sent to; `place` is where it is now. Both are undefined for a private
   * message, which has `people`.
   */
  sent: PicturedStream | undefined
  place: PicturedStream | undefined
  people: Name[]
  topic: string
  /** Users who received the message. */
  delivered: Set<Name>
  /** Users for whom it can be unread: recipients who stayed subscribed wherever it was. */
  along: Set<Name>
  /**
   * Users of `along` who left the stream that it was sent to; if it moves back there, it is read for them.
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
   * Guests who were not in its stream when it last changed. They no longer see what they received, until
   * they subscribe again.
   */
  hidden: Set<Name>
}

/**
 * The expected state, for each message and each user separately, independent of how the server stores read
 * positions.
 */
export interface Picture {
  streams: PicturedStream[]
  messages: PicturedMessage[]
  /** Muted topics as `name stream topic`, such as `mia 4 weeds`. */
  mutedTopics: Set<string>
}

const isGuest = (name: Name) => name === 'gus'

export const topicKey = (name: Name, { id }: PicturedStream, topic: string): string =>
  `${name} ${id} ${topic.toLowerCase()}`

export function isUnread(name: Name, { along, read }: PicturedMessage): boolean {
  return along.has(name) && !read.has(name)
}

/** Returns whether the user has the message and has not lost sight of it by a change. */
export function isReceived(name: Name, message: PicturedMessage): boolean {
  return !message.hidden.has(name) && wasReceived(name, message)
}

function wasReceived(name: Name, message: PicturedMessage): boolean {
  const { delivered, historical, starred, collapsed, mentioned, sent, place } = message
  if ([historical, starred, collapsed, mentioned].some((set) => set.has(name))) return true
  const knowsPlace = !isGuest(name) || sent === place || place?.everMembers.has(name) === true
  return delivered.has(name) && knowsPlace
}

/** Returns whether the user can read the message. All streams are public. */
export function isReadable(name: Name, message: PicturedMessage): boolean {
  const { place } = message
  if (isReceived(name, message)) return true
  return place !== undefined && (!isGuest(name) || place.members.has(name))
}

export const unreadOf = ({ messages }: Picture, name: Name): PicturedMessage[] =>
  messages.filter((message) => isUnread(name, message)).sort((a, b) => a.id - b.id)

export function isMuted({ mutedTopics }: Picture, name: Name, { place, topic }: PicturedMessage): boolean {
  return place !== undefined && (place.mutedBy.has(name) || mutedTopics.has(topicKey(name, place, topic)))
}

export function newMessage(
  id: MessageId,
  sender: Name,
  to: PicturedStream | undefined,
  fields: Partial<PicturedMessage>,
): PicturedMessage {
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

export function add(picture: Picture, message: PicturedMessage): void {
  picture.messages.push(message)
  picture.messages.sort((a, b) => a.id - b.id)
}

export function leave({ messages }: Picture, stream: PicturedStream, name: Name): void {
  if (!stream.members.delete(name)) return
  for (const message of messages) {
    if (message.place === stream) message.along.delete(name)
    if (message.sent === stream) message.gone.add(name)
  }
}

export function join({ messages }: Picture, stream: PicturedStream, name: Name): void {
  stream.members.add(name)
  stream.everMembers.add(name)
  for (const { place, hidden } of messages) if (place === stream) hidden.delete(name)
}

/** Records a change: guests outside the stream may not see its result. */
export function recordChange({ place, hidden }: PicturedMessage): void {
  for (const name of names) {
    if (isGuest(name) && place && !place.members.has(name)) hidden.add(name)
    else hidden.delete(name)
  }
}

export function move(message: PicturedMessage, to: PicturedStream, topic: string | undefined): void {
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

export function readStateOf(picture: Picture, name: Name, idOf: (name: Name) => UserId): ReadState {
  const unread = unreadOf(picture, name)
  const received = picture.messages.filter((message) => isReceived(name, message))
  const loud = unread.filter((message) => !isMuted(picture, name, message))
  const ids = (messages: PicturedMessage[]) => messages.map(({ id }) => id)
  const groups = <Key>(
    messages: PicturedMessage[],
    keyOf: (message: PicturedMessage) => string,
    view: (of: PicturedMessage) => Key,
  ) =>
    [...Map.groupBy(messages, keyOf).values()].map((group) => ({
      ...view(group[0] as PicturedMessage),
      unread_message_ids: ids(group),
    }))
  const isWildcard = ({ mentionsAll, mentioned }: PicturedMessage) => mentionsAll && !mentioned.has(name)
  const private_ = unread.filter(({ place }) => place === undefined)
  const everyone = ({ people }: PicturedMessage) =>
    people
      .map(idOf)
      .sort((a, b) => a - b)
      .join()
  const other = ({ people }: PicturedMessage) => idOf(people.find((person) => person !== name) ?? name)
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
          (message) =>
            message.mentioned.has(name) || (isWildcard(message) && !isMuted(picture, name, message)),
        ),
      ),
      wildcard_mentions: ids(unread.filter(isWildcard)),
    },
    unreadIds: ids(unread),
    firstUnread: loud[0]?.id ?? 10_000_000_000_000_000,
    flags: Object.fromEntries(received.map((message) => [message.id, flagsOf(name, message)])),
    newest:
      picture.messages.findLast((message) => wasReceived(name, message) && !message.historical.has(name))
        ?.id ?? -1,
    starred: ids(picture.messages.filter(({ starred }) => starred.has(name))),
  }
}

function flagsOf(name: Name, message: PicturedMessage): MessageFlag[] {
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
