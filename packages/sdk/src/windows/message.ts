import type {
  AnnouncedMessage,
  FetchedMessage,
  MessageFlag,
  MessageId,
  Reaction,
  StreamId,
  Submessage,
  UserId,
} from '@oxbow/contract'
import { messageFlags } from '@oxbow/contract/plain'

/** Flags of a message for the account, as bits of `WindowMessage.flags`. */
export const flagBits = Object.fromEntries(messageFlags.map((flag, index) => [flag, 1 << index])) as Readonly<
  Record<MessageFlag, number>
>

export type WindowReaction = Omit<Reaction, 'user'>

/**
 * A message in a window. It has no names of users and streams, because names change: clients take
 * them from `Windows.nameOf` and from the state.
 */
export interface WindowMessage {
  readonly id: MessageId
  readonly sender_id: UserId
  readonly timestamp: number
  /** Absent for private messages. */
  readonly stream_id: StreamId | undefined
  /** Empty for private messages. */
  readonly topic: string
  readonly topic_links: readonly string[]
  /** Ids of all people in the private conversation, ascending. Absent for stream messages. */
  readonly user_ids: readonly UserId[] | undefined
  readonly content: string
  readonly is_me_message: boolean
  readonly last_edit_timestamp: number | undefined
  readonly flags: number
  /** Reactions, oldest first. */
  readonly reactions: readonly WindowReaction[]
  readonly submessages: readonly Submessage[]
}

// Shared by messages without reactions, links or submessages, which most messages are.
const emptyList: readonly never[] = []
const shareEmpty = <Item>(list: readonly Item[]): readonly Item[] => (list.length === 0 ? emptyList : list)

export function toWindowMessage(
  message: FetchedMessage | AnnouncedMessage,
  flags: readonly MessageFlag[],
): WindowMessage {
  const isPrivate = message.type === 'private'
  return {
    id: message.id,
    sender_id: message.sender_id,
    timestamp: message.timestamp,
    stream_id: isPrivate ? undefined : message.stream_id,
    topic: isPrivate ? '' : message.topic,
    topic_links: shareEmpty(message.topic_links),
    user_ids: isPrivate ? message.display_recipient.map(({ id }) => id).sort((a, b) => a - b) : undefined,
    content: message.content,
    is_me_message: message.is_me_message,
    last_edit_timestamp: message.last_edit_timestamp,
    flags: toFlagBits(flags),
    reactions: shareEmpty(message.reactions.map(({ user: _, ...reaction }) => reaction)),
    submessages: shareEmpty(message.submessages),
  }
}

export const toFlagBits = (flags: readonly MessageFlag[]): number =>
  flags.reduce((bits, flag) => bits | flagBits[flag], 0)

/** Calls `add` with the id and name of every user that the message names. */
export function readNames(
  message: FetchedMessage | AnnouncedMessage,
  add: (id: UserId, name: string) => void,
): void {
  add(message.sender_id, message.sender_full_name)
  for (const { user_id, user } of message.reactions) add(user_id, user.full_name)
  if (message.type === 'private')
    for (const { id, full_name } of message.display_recipient) add(id, full_name)
}
