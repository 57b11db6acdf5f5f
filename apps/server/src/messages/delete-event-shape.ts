import type { EventShape } from '../events/event-shape.ts'

const bulk = 'bulk'

/**
 * A record lists all messages that were deleted together. Queues without `bulk_message_deletion`
 * get one event per message.
 */
export const deleteEventShape: EventShape = {
  type: 'delete_message',
  variant: ({ bulk_message_deletion }) => (bulk_message_deletion ? bulk : ''),
  render(event, variant) {
    if (variant === bulk) return [event]
    const { message_ids, ...single } = event as { message_ids: readonly number[] }
    return message_ids.map((message_id) => ({ ...single, message_id }))
  },
}
