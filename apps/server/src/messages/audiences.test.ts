import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { groupByReceivers } from './audiences.ts'

const sent = (id: number, outbox_id: number, sent_recipient_id = 4) => ({
  id: id as MessageId,
  outbox_id,
  sent_recipient_id,
})
const bounds = new Map([
  [4, [10, 20, 30]],
  [5, [15]],
])

const grouped = (...messages: ReturnType<typeof sent>[]) =>
  groupByReceivers(messages, bounds).map((group) => group.map(({ id }) => id))

test('messages between two membership changes of a stream form one group', () => {
  assert.deepEqual(grouped(sent(1, 11), sent(2, 19), sent(3, 21), sent(4, 29), sent(5, 31), sent(6, 99)), [
    [1, 2],
    [3, 4],
    [5, 6],
  ])
})

test('a membership change splits messages into groups by their outbox ids', () => {
  assert.deepEqual(grouped(sent(1, 9), sent(2, 10), sent(3, 19), sent(4, 20)), [[1], [2, 3], [4]])
})

test('messages are grouped by outbox ids even if message ids are in a different order', () => {
  assert.deepEqual(grouped(sent(1, 22), sent(2, 21), sent(3, 12)), [[1, 2], [3]])
})

test('membership changes of one stream do not split the groups of another', () => {
  assert.deepEqual(grouped(sent(1, 11), sent(2, 14, 5), sent(3, 16, 5), sent(4, 12), sent(5, 1, 6)), [
    [1, 4],
    [2],
    [3],
    [5],
  ])
})
