import type { Submessage, SubmessageEvent } from '@oxbow/contract'

/**
 * Returns a message's submessages after an event, ordered by id. The state contains no messages, so
 * clients apply events to the messages that they fetched. Events may be applied in any order, and
 * applying an event twice changes nothing more.
 */
export function applySubmessage(
  submessages: readonly Submessage[],
  { message_id, submessage_id: id, sender_id, msg_type, content }: SubmessageEvent,
): readonly Submessage[] {
  const index = submessages.findLastIndex((known) => known.id <= id)
  if (submessages[index]?.id === id) return submessages
  return submessages.toSpliced(index + 1, 0, { id, message_id, sender_id, msg_type, content })
}
