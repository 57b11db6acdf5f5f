import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userId } from '../../../test/ids.ts'
import { accountState } from '../store.ts'
import { privateRows } from './private-list.ts'
import { countedPrivate, inboxCount, unreadPrivate } from './unread.ts'

const [own, otto, fern] = [userId(1), userId(2), userId(3)]

accountState.value = {
  user_id: own,
  subscriptions: [],
  recent_private_conversations: [{ user_ids: [otto], max_message_id: 11 }],
  unread_msgs: {
    pms: [
      { sender_id: otto, unread_message_ids: [10, 11] },
      { sender_id: fern, unread_message_ids: [12] },
    ],
    huddles: [{ user_ids_string: `${own},${otto},${fern}`, unread_message_ids: [13] }],
    streams: [],
    mentions: [],
    wildcard_mentions: [],
  },
} as never

const mute = (...people: (typeof otto)[]) => {
  accountState.value = {
    ...accountState.peek(),
    muted_users: people.map((id) => ({ id, timestamp: 1 })),
  } as never
}

test('private messages of a muted person do not count as new, except in groups with others', () => {
  assert.equal(inboxCount.value, 4)
  mute(otto)
  assert.equal(inboxCount.value, 2)
  assert.deepEqual(
    countedPrivate.value.map(({ user_ids }) => user_ids),
    [[otto, fern], [fern]],
  )
  assert.equal(unreadPrivate.value.length, 3)
  const row = privateRows.value.find(({ user_ids }) => user_ids.join() === String(otto))
  assert.equal(row?.unread, undefined)
  mute(otto, fern)
  assert.equal(inboxCount.value, 0)
  mute(fern)
  assert.equal(inboxCount.value, 3)
})
