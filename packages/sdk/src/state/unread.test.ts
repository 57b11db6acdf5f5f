import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MutedTopic, Role } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import { edit, flag, post, someUnread, topic, withMessages } from '../../test/example-messages.ts'
import { garden, ids, pond, stateOf, subscription, users } from '../../test/example-streams.ts'
import type { State } from './state.ts'

const member = withMessages(stateOf(Role.member), someUnread)
const mute = (...muted_topics: [string, string][]) => ({
  type: 'muted_topics',
  muted_topics: muted_topics.map(([name, topic]): MutedTopic => [name, topic, 100]),
})
const show = (name: keyof typeof ids, value: boolean) => ({
  type: 'subscription',
  op: 'update',
  stream_id: ids[name],
  name,
  email: 'user2@garden.example',
  property: 'in_home_view',
  value,
})
const leave = (...names: (keyof typeof ids)[]) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: names.map((name) => ({ name, stream_id: ids[name] })),
})

test('messages and wildcard mentions in muted topics are not counted, even if the topic is spelled in another case', () => {
  const quiet = after(member, mute(['garden', 'ROSES'], ['pond', 'Frogs'], ['tools', 'x']))
  const loud = after(member, mute())

  assert.deepEqual(quiet.unread_msgs, { ...someUnread, count: 5, mentions: [12, 15] })
  assert.deepEqual(loud.unread_msgs, { ...someUnread, count: 8, mentions: [12, 13, 15] })
  assert.equal(quiet.unread_msgs?.streams, someUnread.streams)
})

test('muting a stream lowers the unread count, and unmuting restores it', () => {
  const quiet = after(member, show('pond', false))

  assert.deepEqual(quiet.unread_msgs, { ...someUnread, count: 5, mentions: [12] })
  assert.deepEqual(afterAll(member, [show('pond', false), show('pond', true)]), member)
  assert.equal(after(member, show('pond', true)).unread_msgs, someUnread)
})

test('a muted topic stays muted when its stream is unmuted', () => {
  const state = afterAll(member, [show('garden', false), show('garden', true)])

  assert.deepEqual(state.unread_msgs, someUnread)
})

test('stream settings other than muting do not change the unread count', () => {
  const wrong: State = { ...member, unread_msgs: { ...someUnread, count: 99 } }

  const state = after(wrong, { ...show('pond', true), property: 'pin_to_top' })

  assert.equal(state.unread_msgs?.count, 99)
})

test('muting or unmuting does not change the unread count if the state lacks subscriptions or muted topics', () => {
  const { muted_topics: _, ...withoutTopics } = member
  const { subscriptions: __, ...withoutStreams } = member

  assert.equal(after(withoutTopics, show('pond', false)).unread_msgs, someUnread)
  assert.equal(after(withoutStreams, mute()).unread_msgs, someUnread)
})

test('the unread count never becomes negative', () => {
  const { subscriptions: _, ...start } = withMessages(stateOf(Role.member), { ...someUnread, count: 1 })

  assert.equal(after(start, edit([11, 12], { subject: 'moss' }, [])).unread_msgs?.count, 1)
  assert.equal(after(start, flag('add', 'read', [11, 12])).unread_msgs?.count, 0)
})

test('unsubscribing removes the unread messages of the streams', () => {
  const state = after(member, leave('garden', 'roses'))
  const nothing = after(member, leave('garden', 'pond'))

  assert.deepEqual(state.unread_msgs, {
    ...someUnread,
    count: 4,
    streams: [someUnread.streams[2]],
    mentions: [13],
    wildcard_mentions: [13],
  })
  assert.deepEqual(nothing.unread_msgs, {
    ...someUnread,
    count: 3,
    streams: [],
    mentions: [],
    wildcard_mentions: [],
  })
})

test('unsubscribing also removes muted unread messages', () => {
  const state = afterAll(member, [show('garden', false), leave('garden')])

  assert.equal(state.unread_msgs?.count, 4)
})

test('deleting a stream removes its unread messages', () => {
  const state = after(member, { type: 'stream', op: 'delete', streams: [garden] })

  assert.deepEqual(state.unread_msgs?.streams, [someUnread.streams[2]])
  assert.equal(state.unread_msgs?.count, 4)
  assert.deepEqual(state.unread_msgs?.wildcard_mentions, [13])
})

test('subscribing again starts without unread messages', () => {
  const join = { type: 'subscription', op: 'add', subscriptions: [subscription(pond, users(2, 5))] }

  const state = afterAll(member, [leave('pond'), join, post(30, 'pond', 'frogs')])

  assert.deepEqual(state.unread_msgs?.streams.at(-1), topic('pond', 'frogs', [30]))
  assert.equal(state.unread_msgs?.count, 6)
})

test('muted topics of a renamed stream are still not counted', () => {
  const rename = {
    type: 'stream',
    op: 'update',
    stream_id: ids.garden,
    name: 'garden',
    property: 'name',
    value: 'park',
  }

  const state = afterAll(member, [rename, post(30, 'garden', 'moles'), post(31, 'garden', 'roses')])

  assert.equal(state.unread_msgs?.count, 7)
})
