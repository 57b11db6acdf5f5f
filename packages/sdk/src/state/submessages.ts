import type { Submessage, SubmessageEvent } from '@oxbow/contract'

/**
 * Returns a message's submessages after an event, ordered by id. The state has no messages, so
 * clients apply it to the messages they have fetched. Applying an event twice changes nothing, and
 * events may be applied in any order.
 */
export function applySubmessage(
  submessages: readonly Submessage[],
  { message_id, submessage_id: id, sender_id, msg_type, content }: SubmessageEvent,
): readonly Submessage[] {
  const index = submessages.findLastIndex((known) => known.id <= id)
  if (submessages[index]?.id === id) return submessages
  return submessages.toSpliced(index + 1, 0, { id, message_id, sender_id, msg_type, content })
}
