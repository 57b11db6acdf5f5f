import type { Event, MessageFlagsEvent, MessageId, MessageUpdateEvent, ReactionEvent } from '@oxbow/contract'
import { changeReactions } from '../state/reactions.ts'
import { withFields } from '../state/shared.ts'
import { applySubmessage } from '../state/submessages.ts'
import { flagBits, toFlagBits, type WindowMessage, type WindowReaction } from './message.ts'

type WithoutId<Each> = Each extends unknown ? Omit<Each, 'id'> : never
/** An event of the server, or a change by the account that no event has confirmed yet. */
export type EventLike = Event | WithoutId<Event>

/**
 * Returns the message after an event. Returns the same object if the event does not concern it, and
 * undefined if the event deletes it. Applying an event twice changes nothing more.
 */
export function changeMessage(message: WindowMessage, event: EventLike): WindowMessage | undefined {
  switch (event.type) {
    case 'update_message':
      return event.message_ids.includes(message.id) ? updateMessage(message, event) : message
    case 'update_message_flags':
      return event.all || listFlagged(event).includes(message.id) ? changeFlag(message, event) : message
    case 'reaction':
      return event.message_id === message.id ? react(message, event) : message
    case 'submessage':
      return event.message_id === message.id
        ? withFields(message, { submessages: applySubmessage(message.submessages, event as never) })
        : message
    case 'delete_message':
      return (event.message_ids ?? [event.message_id]).includes(message.id) ? undefined : message
    default:
      return message
  }
}

/** Applies an update that lists the message. Only the first message of an update can have new content. */
export function updateMessage(message: WindowMessage, event: WithoutId<MessageUpdateEvent>): WindowMessage {
  const { subject, topic_links, new_stream_id } = event
  return withFields<WindowMessage>(message, {
    ...(subject !== undefined && { topic: subject, ...(topic_links && changedLinks(message, topic_links)) }),
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
    ...(event.message_id === message.id && updateContent(message, event)),
  })
}

const changedLinks = ({ topic_links }: WindowMessage, links: readonly string[]) =>
  links.join() === topic_links.join() ? {} : { topic_links: links }

function updateContent(
  message: WindowMessage,
  { flags, rendered_content, is_me_message, edit_timestamp }: WithoutId<MessageUpdateEvent>,
): Partial<WindowMessage> {
  // For a message that the account has not received, the event has only the flag `read`, but
  // fetched messages have `historical` too.
  const historical = message.flags & flagBits.historical
  return {
    flags: toFlagBits(flags) | historical,
    ...(rendered_content !== undefined && { content: rendered_content }),
    ...(is_me_message !== undefined && { is_me_message }),
    ...(edit_timestamp !== undefined && { last_edit_timestamp: edit_timestamp }),
  }
}

/**
 * Returns the ids of messages whose flag changes. An event that marks messages as unread also lists
 * messages that stay read, because the account was not subscribed throughout. Only the messages that
 * become unread have details.
 */
export function listFlagged({
  flag,
  operation,
  messages,
  message_details,
}: WithoutId<MessageFlagsEvent>): readonly MessageId[] {
  if (flag !== 'read' || operation === 'add' || !message_details) return messages
  return messages.filter((id) => Object.hasOwn(message_details, id))
}

export function changeFlag(
  message: WindowMessage,
  { flag, operation }: Pick<MessageFlagsEvent, 'flag' | 'operation'>,
): WindowMessage {
  const bit = flagBits[flag]
  return withFields(message, { flags: operation === 'add' ? message.flags | bit : message.flags & ~bit })
}

export function react(message: WindowMessage, event: WithoutId<ReactionEvent>): WindowMessage {
  const { emoji_name, emoji_code, reaction_type, user_id } = event
  const reaction: WindowReaction = { emoji_name, emoji_code, reaction_type, user_id }
  return withFields(message, { reactions: changeReactions(message.reactions, event, reaction) })
}
