import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { userId } from '../../../test/ids.ts'
import { applyToRecent, type RecentList, readConversation, sortRecent } from './recent-list.ts'

const ownId = userId(7)
const listOf = (...conversations: object[]): RecentList =>
  new Map(
    conversations.map((each) => {
      const read = readConversation(each as never, ownId)
      return [read.key, read]
    }),
  )
const list = listOf(
  { type: 'stream', stream_id: 1, topic: 'Roses', max_message_id: 20, timestamp: 200, sender_ids: [8] },
  { type: 'private', user_ids: [8], max_message_id: 15, timestamp: 150, sender_ids: [8, 7] },
  { type: 'private', user_ids: [], max_message_id: 10, timestamp: 100, sender_ids: [7] },
)
const apply = (event: object) => applyToRecent(list, event as Event, ownId)
const order = (of: RecentList | undefined) => of && sortRecent(of).map(({ key }) => key)
const message = (more: object) => ({
  type: 'message',
  message: { id: 30, timestamp: 300, sender_id: 9, ...more },
})

test('a new message puts its conversation first, with its sender before the others', () => {
  const next = apply(message({ type: 'stream', stream_id: 1, subject: 'roses', sender_id: 7 }))
  assert.deepEqual(order(next), ['stream/1/topic/roses', 'pm/8', 'pm/7'])
  const [first] = sortRecent(next as RecentList)
  assert.deepEqual([first?.sender_ids, first?.timestamp], [[7, 8], 300])
  const note = apply(message({ type: 'private', display_recipient: [{ id: 7 }], sender_id: 7 }))
  assert.deepEqual(order(note), ['pm/7', 'stream/1/topic/roses', 'pm/8'])
  const group = apply(message({ type: 'private', display_recipient: [{ id: 9 }, { id: 7 }, { id: 8 }] }))
  assert.equal(order(group)?.[0], 'pm/8,9')
})

test('a known message, an edit, the deletion of an older message and a heartbeat change nothing', () => {
  assert.equal(apply(message({ type: 'stream', stream_id: 1, subject: 'roses', id: 20 })), list)
  assert.equal(apply({ type: 'update_message', stream_id: 1, message_ids: [20], content: 'x' }), list)
  assert.equal(apply({ type: 'delete_message', message_type: 'stream', message_ids: [12] }), list)
  assert.equal(apply({ type: 'heartbeat' }), list)
})

test('after a move, or the deletion of the newest message of a conversation, the list must be fetched again', () => {
  assert.equal(
    apply({ type: 'update_message', stream_id: 1, orig_subject: 'Roses', subject: 'x' }),
    undefined,
  )
  assert.equal(apply({ type: 'update_message', stream_id: 1, new_stream_id: 2 }), undefined)
  assert.equal(apply({ type: 'delete_message', message_type: 'stream', message_id: 20 }), undefined)
})
