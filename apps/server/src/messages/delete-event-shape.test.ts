import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueueOptions } from '../events/queue-options.ts'
import { deleteEventShape as shape } from './delete-event-shape.ts'

const event = {
  type: 'delete_message',
  message_type: 'stream',
  message_ids: [3, 5],
  stream_id: 4,
  topic: 'roses',
}

const eventsFor = (bulk_message_deletion: boolean) =>
  shape.render(event, shape.variant({ bulk_message_deletion } as QueueOptions), undefined)

test('a bulk deletion is one event for bulk_message_deletion queues and one per message for others', () => {
  const { message_ids: _, ...single } = event

  assert.deepEqual(eventsFor(true), [event])
  assert.deepEqual(eventsFor(false), [
    { ...single, message_id: 3 },
    { ...single, message_id: 5 },
  ])
})
