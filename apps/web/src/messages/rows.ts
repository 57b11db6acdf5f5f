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
export interface RowLook {
  readonly id: MessageId
  /** The bar of the conversation is above it. */
  readonly hasBar: boolean
  /** The separator of its day is above it. */
  readonly hasDay: boolean
  /** Picture, name and time of the sender are shown. */
  readonly hasHead: boolean
  /** The separator of new messages is above it. */
  readonly isFirstNew: boolean
  /** A link leads to the message in its conversation. */
  readonly hasLink?: true
}

export interface RowOptions {
  /** Whether the list has messages of several conversations. */
  readonly hasBars: boolean
  readonly firstNew: MessageId | undefined
  /** Whether messages between the rows are left out, as in the results of a search. */
  readonly isSparse?: boolean
  /** Returns the day of a time in milliseconds. */
  dayOf(time: number): string
}

/** After this time, another message of the same sender shows the sender again. */
const maxPauseSeconds = 600

/** Decides for each message, oldest first, which parts are shown above it. */
export function layOutRows(messages: readonly Grouped[], options: RowOptions): RowLook[] {
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

/** Topics that differ only in case are the same conversation. */
export function isSameConversation(one: Grouped, other: Grouped): boolean {
  if (one.stream_id !== other.stream_id) return false
  if (one.stream_id === undefined) return one.user_ids?.join() === other.user_ids?.join()
  return one.topic.toLowerCase() === other.topic.toLowerCase()
}

export const isSameLook = (one: RowLook, other: RowLook): boolean =>
  one.hasBar === other.hasBar &&
  one.hasDay === other.hasDay &&
  one.hasHead === other.hasHead &&
  one.isFirstNew === other.isFirstNew
