import type { ScheduledMessage } from '@oxbow/contract'
import { computed } from '@preact/signals'
import type { SendTarget } from '../conversations/target.ts'
import type { PendingEvent } from '../pending.ts'
import { scheduledMessages } from '../store.ts'

/** Scheduled messages and reminders, the next one first. */
export const waitingMessages = computed((): readonly ScheduledMessage[] =>
  (scheduledMessages.value ?? []).toSorted(
    (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
  ),
)

/** Returns the target of a scheduled message. */
export const targetOfScheduled = (message: ScheduledMessage): SendTarget =>
  message.type === 'stream'
    ? { type: 'stream', stream_id: message.to, topic: message.topic }
    : { type: 'private', user_ids: message.to }

/** Returns the pending event of a deletion. */
export const removalOf = ({
  scheduled_message_id,
}: Pick<ScheduledMessage, 'scheduled_message_id'>): PendingEvent => ({
  type: 'scheduled_messages',
  op: 'remove',
  scheduled_message_id,
})
