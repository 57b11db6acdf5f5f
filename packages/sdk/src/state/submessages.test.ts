import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Submessage, SubmessageEvent } from '@oxbow/contract'
import { applySubmessage } from './submessages.ts'

const content = '{"type":"vote"}'
const added = (id: number) =>
  ({ id, message_id: 9, sender_id: 12, msg_type: 'widget', content }) as Submessage
const event = (submessage_id: number) => {
  const { id, ...fields } = added(submessage_id)
  return { id: 5, type: 'submessage', submessage_id, ...fields } as SubmessageEvent
}

test('submessage events insert by id in any order, each once', () => {
  const all = [added(3), added(5), added(8)]
  for (const order of [
    [3, 5, 8],
    [8, 3, 5],
    [5, 8, 5, 3, 8],
  ])
    assert.deepEqual(order.map(event).reduce(applySubmessage, [] as readonly Submessage[]), all)
  assert.equal(applySubmessage(all, event(5)), all)
})
