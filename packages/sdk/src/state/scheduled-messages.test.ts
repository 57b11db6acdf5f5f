import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScheduledMessage, ScheduledMessageId, StreamId } from '@oxbow/contract'
import { applyEvent } from './apply-event.ts'
import type { State } from './state.ts'

const message = (id: number, at: number, content = 'Pruned.'): ScheduledMessage => ({
  scheduled_message_id: id as ScheduledMessageId,
  delivery_type: 'send_later',
  type: 'stream',
  to: 1 as StreamId,
  topic: 'roses',
  content,
  rendered_content: `<p>${content}</p>`,
  scheduled_delivery_timestamp: at,
  failed: false,
})
const stateWith = (...scheduled_messages: ScheduledMessage[]) => ({ scheduled_messages }) as unknown as State
const idsOf = ({ scheduled_messages = [] }: State) =>
  scheduled_messages.map(({ scheduled_message_id }) => scheduled_message_id as number)
const type = 'scheduled_messages' as const

test('scheduled messages are kept in the order of their times, then of their ids', () => {
  const before = stateWith(message(4, 10), message(2, 20))
  const event = { id: 1, type, op: 'add' as const, scheduled_messages: [message(5, 10), message(3, 10)] }
  const after = applyEvent(before, event)
  assert.deepEqual(idsOf(after), [3, 4, 5, 2])
  assert.deepEqual(applyEvent(after, event), after)
})

test('a scheduled message whose time changes is moved in the list', () => {
  const before = stateWith(message(1, 10), message(2, 20), message(3, 30))
  const changed = message(1, 25, 'Later.')
  const after = applyEvent(before, { id: 1, type, op: 'update', scheduled_message: changed })
  assert.deepEqual(idsOf(after), [2, 1, 3])
  assert.equal(after.scheduled_messages?.[1], changed)
})

test('a remove event removes a scheduled message, and one for an unknown message changes nothing', () => {
  const before = stateWith(message(1, 10), message(2, 20))
  const removal = (id: number) =>
    ({ id: 1, type, op: 'remove', scheduled_message_id: id as ScheduledMessageId }) as const
  assert.deepEqual(idsOf(applyEvent(before, removal(1))), [2])
  assert.equal(applyEvent(before, removal(9)), before)
  assert.deepEqual(applyEvent({} as State, removal(1)), {})
})
