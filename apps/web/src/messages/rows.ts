import type { MessageId, StreamId, UserId } from '@oxbow/contract'

/** The fields that decide how a message is grouped with the one before it. */
export interface Grouped {
  readonly id: MessageId
  readonly sender_id: UserId
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly stream_id: StreamId | undefined
  readonly topic: string
  readonly user_ids: readonly UserId[] | undefined
  readonly is_me_message: boolean
}

/** How a message is shown in a list. */
export interface RowLayout {
  readonly id: MessageId
  /** Whether the bar of the conversation is above it. */
  readonly hasBar: boolean
  /** Whether the separator of its day is above it. */
  readonly hasDay: boolean
  /** Whether the avatar and name of the sender and the time are shown. */
  readonly hasHead: boolean
  /** Whether the separator of new messages is above it. */
  readonly isFirstNew: boolean
  /** Whether the row has a link to the message in its conversation. */
  readonly hasLink?: true
}

export interface RowOptions {
  /** Whether the list has messages of several conversations. */
  readonly hasBars: boolean
  readonly firstNew: MessageId | undefined
  /** Whether messages between the rows are omitted, as in the results of a search. */
  readonly isSparse?: boolean
  /** Returns the day of a time in milliseconds. */
  dayOf(time: number): string
}

/** After a pause of this length, another message of the same sender shows the sender again. */
const maxPauseSeconds = 600

/** Decides for each message, oldest first, which parts are shown above it. */
export function layOutRows(messages: readonly Grouped[], options: RowOptions): RowLayout[] {
  let before: Grouped | undefined
  let dayBefore: string | undefined
  return messages.map((message) => {
    const day = options.dayOf(message.timestamp * 1000)
    const isFirstNew = message.id === options.firstNew
    const hasDay = day !== dayBefore
    const hasBar = options.hasBars && !(before && isSameConversation(before, message))
    const isSeparate = hasBar || hasDay || isFirstNew || options.isSparse
    const continues = before && !isSeparate && continuesRun(before, message)
    before = message
    dayBefore = day
    const link = options.isSparse ? { hasLink: true as const } : {}
    return { id: message.id, hasBar, hasDay, hasHead: !continues, isFirstNew, ...link }
  })
}

const continuesRun = (before: Grouped, message: Grouped): boolean =>
  before.sender_id === message.sender_id &&
  !before.is_me_message &&
  message.timestamp - before.timestamp <= maxPauseSeconds

/** Returns whether two messages belong to the same conversation. Topics may differ in case. */
function isSameConversation(one: Grouped, other: Grouped): boolean {
  if (one.stream_id !== other.stream_id) return false
  if (one.stream_id === undefined) return one.user_ids?.join() === other.user_ids?.join()
  return one.topic.toLowerCase() === other.topic.toLowerCase()
}

export const isSameLayout = (one: RowLayout, other: RowLayout): boolean =>
  one.hasBar === other.hasBar &&
  one.hasDay === other.hasDay &&
  one.hasHead === other.hasHead &&
  one.isFirstNew === other.isFirstNew
