import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxStarredMessages, Role, type UserId } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import { flag, messageIds, noUnread, someUnread, topic, withMessages } from '../../test/example-messages.ts'
import { ids, stateOf } from '../../test/example-streams.ts'
import type { State } from './state.ts'

const empty = withMessages(stateOf(Role.member))
const member = withMessages(stateOf(Role.member), someUnread)
const unreadAgain = (message_details: object) =>
  flag('remove', 'read', Object.keys(message_details).map(Number), { message_details })
const inTopic = (name: keyof typeof ids, topic: string, more = {}) => ({
  type: 'stream',
  stream_id: ids[name],
  topic,
  sender_id: 5,
  ...more,
})
const among = (user_ids: number[], sender_id: number, more = {}) => ({
  type: 'private',
  user_ids,
  sender_id,
  ...more,
})

test('reading messages removes them from all unread lists', () => {
  const state = after(member, flag('add', 'read', [12, 14, 15, 20, 22, 99]))

  assert.deepEqual(state.unread_msgs, {
    count: 3,
    pms: [{ sender_id: 5, unread_message_ids: [21] }],
    huddles: [],
    streams: [topic('garden', 'roses', [11], [5, 9]), topic('pond', 'frogs', [13])],
    mentions: [13],
    wildcard_mentions: [13],
  })
  assert.equal(state.unread_msgs?.streams[1], someUnread.streams[2])
})

test('marking all messages as read empties all lists', () => {
  assert.deepEqual(after(member, flag('add', 'read', [], { all: true })).unread_msgs, noUnread)
})

test('marking read messages as read changes nothing', () => {
  assert.equal(after(member, flag('add', 'read', [1, 2, 99])), member)
  assert.equal(after(member, flag('add', 'read', [])), member)
})

test('marking messages as unread lists them by their details', () => {
  const state = after(
    empty,
    unreadAgain({
      30: inTopic('pond', 'frogs'),
      31: inTopic('garden', 'weeds', { wildcard_mentioned: true }),
      32: inTopic('garden', 'roses', { mentioned: true, wildcard_mentioned: true }),
      33: inTopic('garden', 'roses', { wildcard_mentioned: true, sender_id: 2 }),
      34: among([5], 2),
      35: among([], 2),
      36: among([5, 9], 9, { mentioned: true }),
    }),
  )

  assert.deepEqual(state.unread_msgs, {
    count: 6,
    pms: [
      { sender_id: 2, unread_message_ids: [35] },
      { sender_id: 5, unread_message_ids: [34] },
    ],
    huddles: [{ user_ids_string: '2,5,9', unread_message_ids: [36] }],
    streams: [
      topic('garden', 'roses', [32, 33], [2, 5]),
      topic('garden', 'weeds', [31]),
      topic('pond', 'frogs', [30]),
    ],
    mentions: [32, 33, 36],
    wildcard_mentions: [31, 33],
  })
})

test('marking as read and as unread again restores the lists', () => {
  const events = [
    flag('add', 'read', [12, 13, 21]),
    unreadAgain({
      12: inTopic('garden', 'roses', { mentioned: true }),
      13: inTopic('pond', 'frogs', { wildcard_mentioned: true }),
      21: among([5], 5),
    }),
  ]

  assert.deepEqual(afterAll(member, events), member)
})

test("if the user's own id is unknown, unread messages are listed by sender", () => {
  const { user_id: _, ...start } = empty
  const details = { 30: among([5, 9], 2), 31: among([5, 10], 5), 32: among([], 2) }

  const { unread_msgs } = after(start, unreadAgain(details))

  assert.deepEqual(unread_msgs?.huddles, [{ user_ids_string: '2,5,9', unread_message_ids: [30] }])
  assert.deepEqual(unread_msgs.pms, [{ sender_id: 2 as UserId, unread_message_ids: [32] }])
})

test('unread messages without details are not listed', () => {
  assert.equal(after(member, flag('remove', 'read', [99])), member)
})

test('star events add and remove starred messages', () => {
  const state = afterAll(empty, [flag('add', 'starred', [9, 5, 8]), flag('remove', 'starred', [3, 7])])

  assert.deepEqual(state.starred_messages, [5, 8, 9])
  assert.equal(after(empty, flag('add', 'starred', [8])), empty)
  assert.equal(after(empty, flag('remove', 'starred', [7])), empty)
})

test('adding stars keeps at most `maxStarredMessages` ids, like the state from register', () => {
  const all = Array.from({ length: maxStarredMessages }, (_, index) => 2 * index)
  const start: State = { ...empty, starred_messages: messageIds(...all) }

  const { starred_messages } = after(start, flag('add', 'starred', [7, 99_999]))

  assert.equal(starred_messages?.length, maxStarredMessages)
  assert.deepEqual(starred_messages.slice(3, 6), [6, 7, 8])
  assert.equal(starred_messages.at(-1), all.at(-2))
})

test('other flags and lists that were not fetched change nothing', () => {
  const start = stateOf(Role.member)
  const events = [flag('add', 'starred', [5]), flag('add', 'read', [5]), unreadAgain({ 5: among([], 2) })]

  assert.equal(after(member, flag('add', 'collapsed', [11])), member)
  assert.equal(afterAll(start, events), start)
})
