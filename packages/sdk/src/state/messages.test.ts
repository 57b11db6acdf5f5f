import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role, type UnreadMessages } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import {
  edit,
  messageIds,
  noUnread,
  post,
  someUnread,
  talk,
  topic,
  withMessages,
} from '../../test/example-messages.ts'
import { ids, stateOf, users } from '../../test/example-streams.ts'
import type { State } from './state.ts'

const empty = withMessages(stateOf(Role.member))
const member = withMessages(stateOf(Role.member), someUnread)
const unreadAfter = (state: State, ...events: object[]) => afterAll(state, events).unread_msgs
const remove = (...messages: number[]) => ({
  type: 'delete_message',
  message_type: 'stream',
  message_ids: messages,
  stream_id: ids.garden,
  topic: 'roses',
})

test('unread stream messages are listed by stream and topic in order', () => {
  const unread = unreadAfter(
    empty,
    post(31, 'pond', 'frogs'),
    post(30, 'garden', 'roses', [], 9),
    post(32, 'garden', 'Roses'),
    post(33, 'garden', 'roses'),
    post(34, 'garden', '🌱'),
    post(35, 'garden', '\uffee'),
  )

  assert.deepEqual(unread, {
    ...noUnread,
    count: 6,
    streams: [
      topic('garden', 'Roses', [32]),
      topic('garden', 'roses', [30, 33], [5, 9]),
      topic('garden', '\uffee', [35]),
      topic('garden', '🌱', [34]),
      topic('pond', 'frogs', [31]),
    ],
  })
})

test('unread private messages are grouped by the other participants', () => {
  const unread = unreadAfter(
    empty,
    talk(30, [9, 2]),
    talk(31, [2, 5]),
    talk(32, [2]),
    talk(33, [9, 2, 10]),
    talk(34, [5, 9, 2]),
    talk(35, [5, 2]),
  )

  assert.deepEqual(unread, {
    ...noUnread,
    count: 6,
    pms: [
      { sender_id: 2, unread_message_ids: [32] },
      { sender_id: 5, unread_message_ids: [31, 35] },
      { sender_id: 9, unread_message_ids: [30] },
    ],
    huddles: [
      { user_ids_string: '2,5,9', unread_message_ids: [34] },
      { user_ids_string: '2,9,10', unread_message_ids: [33] },
    ],
  })
})

test("if the user's own id is unknown, the sender is treated as the other user", () => {
  const { user_id: _, ...start } = empty

  const state = afterAll(start, [talk(30, [5, 2]), talk(31, [2]), talk(32, [9, 2, 5])])

  assert.deepEqual(
    state.unread_msgs?.pms.map(({ sender_id }) => sender_id),
    [2, 5],
  )
  assert.deepEqual(
    state.unread_msgs?.huddles.map(({ user_ids_string }) => user_ids_string),
    ['2,5,9'],
  )
  assert.equal(state.recent_private_conversations, empty.recent_private_conversations)
})

test('muted messages are listed but not counted, and their wildcard mentions are not listed as mentions', () => {
  const [garden, pond] = member.subscriptions ?? []
  assert.ok(garden && pond)
  const start: State = { ...empty, subscriptions: [garden, { ...pond, is_muted: true }] }

  const unread = unreadAfter(
    start,
    post(30, 'garden', 'WEEDS', ['mentioned', 'wildcard_mentioned']),
    post(31, 'garden', 'moles', ['wildcard_mentioned']),
    post(32, 'pond', 'frogs', ['wildcard_mentioned']),
    post(33, 'pond', 'frogs'),
    post(34, 'garden', 'roses', ['wildcard_mentioned']),
    talk(35, [5, 2], ['wildcard_mentioned']),
  )

  assert.equal(unread?.count, 2)
  assert.deepEqual(unread.mentions, [30, 34, 35])
  assert.deepEqual(unread.wildcard_mentions, [31, 32, 34, 35])
})

test('without data about muting, all messages are counted', () => {
  const { muted_topics: _, ...start } = empty

  assert.equal(unreadAfter(start, post(30, 'garden', 'weeds'))?.count, 1)
})

test('a read message is not listed but updates max_message_id', () => {
  const state = afterAll(empty, [post(30, 'garden', 'roses', ['read', 'mentioned']), talk(31, [2], ['read'])])

  assert.equal(state.unread_msgs, empty.unread_msgs)
  assert.equal(state.max_message_id, 31)
  assert.deepEqual(state.recent_private_conversations?.[0], { max_message_id: 31, user_ids: [] })
})

test('a message of an unsubscribed stream is not received', () => {
  for (const name of ['roses', 'tools'] as const) {
    const state = after(empty, post(30, name, 'x'))

    assert.equal(state.unread_msgs, empty.unread_msgs)
    assert.equal(state.max_message_id, 22)
  }
})

test('a bot that is mentioned in a stream receives the message as read', () => {
  const state = after(empty, post(30, 'tools', 'x', ['mentioned']))

  assert.equal(state.unread_msgs, empty.unread_msgs)
  assert.equal(state.max_message_id, 30)
})

test('the first message updates first_message_id in every list', () => {
  const first = (state: State) =>
    [
      state.streams,
      state.subscriptions,
      state.unsubscribed,
      state.never_subscribed,
      state.realm_default_streams,
      state.realm_default_stream_groups?.[0]?.streams,
    ].map((list) => list?.filter((one) => one.first_message_id !== null).map((one) => one.first_message_id))

  const joined = afterAll(empty, [post(30, 'garden', 'x'), post(31, 'garden', 'x')])
  const state = after(empty, post(30, 'tools', 'x'))
  const late = afterAll(empty, [post(31, 'garden', 'x'), post(30, 'garden', 'x')])

  assert.deepEqual(first(joined), [[30], [30], [], [], [30], [30]])
  assert.deepEqual(first(state), [[30], [], [], [30], [30], [30]])
  assert.deepEqual(first(late), first(joined))
})

test('buckets that an event does not touch stay the same objects', () => {
  const { unread_msgs } = after(member, post(30, 'garden', 'roses'))

  assert.equal(unread_msgs?.pms, someUnread.pms)
  assert.equal(unread_msgs.huddles, someUnread.huddles)
  assert.equal(unread_msgs.mentions, someUnread.mentions)
  assert.equal(unread_msgs.streams[0], someUnread.streams[0])
  assert.deepEqual(unread_msgs.streams[1], topic('garden', 'roses', [11, 12, 30], [5, 9]))
  assert.equal(unread_msgs.streams[2], someUnread.streams[2])
})

test('recent conversations are sorted by their newest message', () => {
  const { recent_private_conversations } = afterAll(empty, [talk(30, [5, 2]), talk(31, [9, 2, 10])])

  assert.deepEqual(recent_private_conversations, [
    { max_message_id: 31, user_ids: [9, 10] },
    { max_message_id: 30, user_ids: [5] },
    { max_message_id: 22, user_ids: [5, 9] },
  ])
  const older = after(empty, talk(19, [5, 2]))
  assert.equal(older.recent_private_conversations, empty.recent_private_conversations)
})

test('moving a topic moves its unread messages, mentions and senders', () => {
  assert.deepEqual(unreadAfter(member, edit([11, 12, 99], { subject: 'moss' }, [])), {
    ...someUnread,
    streams: [someUnread.streams[0], topic('garden', 'moss', [11, 12], [5, 9]), someUnread.streams[2]],
  })
  assert.deepEqual(unreadAfter(member, edit([11], { subject: 'moss' }))?.streams, [
    someUnread.streams[0],
    topic('garden', 'moss', [11], [5, 9]),
    topic('garden', 'roses', [12], [5, 9]),
    someUnread.streams[2],
  ])
})

test('moving messages into or out of a muted topic changes the unread count', () => {
  const into = unreadAfter(
    member,
    edit([13], { subject: 'Moles', new_stream_id: ids.garden }, ['wildcard_mentioned']),
  )
  const outOf = unreadAfter(member, edit([14, 15], { subject: 'roses' }))

  assert.deepEqual(into, {
    ...someUnread,
    count: 5,
    streams: [topic('garden', 'Moles', [13]), someUnread.streams[0], someUnread.streams[1]],
    mentions: [12],
  })
  assert.deepEqual(outOf, {
    ...someUnread,
    count: 8,
    streams: [topic('garden', 'roses', [11, 12, 14, 15], [5, 9]), someUnread.streams[2]],
    mentions: [12, 13, 15],
  })
})

test('moving to an unsubscribed stream removes unread messages', () => {
  const moved = unreadAfter(member, edit([12, 11], { new_stream_id: ids.pond }, ['mentioned']))
  const gone = unreadAfter(
    member,
    edit([11, 12], { new_stream_id: ids.tools, subject: 'axes' }, ['mentioned']),
  )

  assert.deepEqual(moved, {
    ...someUnread,
    streams: [someUnread.streams[0], someUnread.streams[2], topic('pond', 'roses', [11, 12], [5, 9])],
  })
  assert.deepEqual(gone, {
    ...someUnread,
    count: 4,
    streams: [someUnread.streams[0], someUnread.streams[2]],
    mentions: [13],
  })
})

test('moving keeps unread messages if subscriptions were not fetched', () => {
  const { subscriptions: _, ...start } = member

  const unread = unreadAfter(start, edit([11], { new_stream_id: ids.tools }))

  assert.deepEqual(unread?.streams.at(-1), topic('tools', 'roses', [11], [5, 9]))
})

test('updates of unmoved or read messages do not change unread_msgs', () => {
  assert.equal(after(member, edit([11, 12], { subject: 'roses' })).unread_msgs?.streams, someUnread.streams)
  assert.equal(after(member, edit([99], { subject: 'x' }, ['mentioned'])), member)
  assert.equal(after(member, edit([99], { content: 'x' }, ['read', 'mentioned'])), member)
})

test('an edit changes the mentions of an unread message', () => {
  const mentionsAfter = (id: number, flags: string[]) => {
    const unread = unreadAfter(member, edit([id], { content: 'x' }, flags))
    return [unread?.mentions, unread?.wildcard_mentions]
  }

  assert.deepEqual(mentionsAfter(11, ['mentioned']), [
    [11, 12, 13],
    [13, 15],
  ])
  assert.deepEqual(mentionsAfter(12, []), [[13], [13, 15]])
  assert.deepEqual(mentionsAfter(12, ['wildcard_mentioned']), [
    [12, 13],
    [12, 13, 15],
  ])
  assert.deepEqual(mentionsAfter(13, ['mentioned', 'wildcard_mentioned']), [[12, 13], [15]])
  assert.deepEqual(mentionsAfter(14, ['wildcard_mentioned']), [
    [12, 13],
    [13, 14, 15],
  ])
  assert.deepEqual(mentionsAfter(20, ['wildcard_mentioned']), [
    [12, 13, 20],
    [13, 15, 20],
  ])
  assert.deepEqual(mentionsAfter(22, ['mentioned']), [
    [12, 13, 22],
    [13, 15],
  ])
})

test('deleted messages are neither unread nor starred', () => {
  const start: State = { ...member, starred_messages: messageIds(3, 8, 12) }

  const state = after(start, remove(8, 11, 12, 15))

  assert.deepEqual(state, {
    ...start,
    unread_msgs: {
      ...someUnread,
      count: 4,
      streams: [topic('garden', 'Weeds', [14], [5, 9]), someUnread.streams[2]],
      mentions: [13],
      wildcard_mentions: [13],
    },
    starred_messages: [3],
  })
})

test('single deletion events give the same state as one bulk event', () => {
  const single = (message_id: number) => ({
    type: 'delete_message',
    message_type: 'private',
    message_id,
    recipient_id: 7,
  })

  const state = afterAll(member, [single(20), single(22)])

  const expected: UnreadMessages = {
    ...someUnread,
    count: 4,
    pms: [{ sender_id: users(5)[0] as never, unread_message_ids: messageIds(21) }],
    huddles: [],
  }
  assert.deepEqual(state, { ...member, unread_msgs: expected })
  assert.equal(after(member, single(99)), member)
})

test('a message that is sent, moved and deleted leaves the unread messages unchanged', () => {
  const events = [
    post(30, 'garden', 'moss', ['mentioned']),
    edit([30], { subject: 'moles' }, ['wildcard_mentioned']),
    edit([30], { new_stream_id: ids.pond }, ['wildcard_mentioned']),
    remove(30),
  ]

  assert.deepEqual(unreadAfter(member, ...events), someUnread)
})

test('message events add no fields that were not fetched', () => {
  const start = stateOf(Role.member)
  const events = [post(30, 'pond', 'x'), talk(31, [5, 2]), edit([30], { subject: 'y' }), remove(30)]

  const state = afterAll(start, events)

  assert.deepEqual(Object.keys(state), Object.keys(start))
})
