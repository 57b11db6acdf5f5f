import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role, type Stream } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import {
  asNeverSubscribed,
  garden,
  group,
  ids,
  namesIn,
  pond,
  roses,
  shed,
  stateOf,
  stream,
  subscribersIn,
  subscription,
  tools,
  users,
  vault,
  withoutSubscribers,
} from '../../test/example-streams.ts'
import type { State } from './state.ts'

const withSubscribers = { include_subscribers: true }
const member = stateOf(Role.member)
const administrator = stateOf(Role.administrator)
const guest = stateOf(Role.guest)
const create = (...streams: object[]) => ({ type: 'stream', op: 'create', streams })
const remove = (...streams: Stream[]) => ({ type: 'stream', op: 'delete', streams })
const occupy = (...streams: Stream[]) => ({ type: 'stream', op: 'occupy', streams })
const hut = stream(7, 'hut', { invite_only: true, history_public_to_subscribers: false })
const moss = stream(8, 'moss')

test('a new stream is inserted by name without subscribers', () => {
  const state = after(member, create(moss), withSubscribers)

  assert.deepEqual(state, {
    ...member,
    streams: [garden, moss, pond, roses, tools],
    never_subscribed: [
      { ...moss, stream_weekly_traffic: null, subscribers: [] },
      ...(member.never_subscribed ?? []),
    ],
  })
  assert.equal(state.subscriptions, member.subscriptions)
  assert.equal(state.unsubscribed, member.unsubscribed)
  assert.equal(state.never_subscribed?.[1], member.never_subscribed?.[0])
})

test('new streams have subscribers only with include_subscribers', () => {
  const start = withoutSubscribers(member)

  const state = after(start, create({ ...moss, subscribers: users(5) }, { ...roses, subscribers: users(5) }))

  assert.deepEqual(state.never_subscribed?.[0], { ...moss, stream_weekly_traffic: null })
  assert.deepEqual(state.unsubscribed, start.unsubscribed)
})

test('several new streams are inserted in code point order', () => {
  const names = ['~', '\u{1f331}', '\uffee', 'a', 'zebra', 'Zebra', 'po', 'ponds']
  const created = names.map((name, index) => stream(100 + index, name))

  const state = after(member, create(...created), withSubscribers)
  const inTurn = afterAll(
    member,
    created.map((stream) => create(stream)),
  )

  const all = 'Zebra a garden po pond ponds roses tools zebra ~ \uffee \u{1f331}'.split(' ')
  assert.deepEqual(namesIn(state, 'streams'), all)
  assert.deepEqual(namesIn(inTurn, 'streams'), all)
})

test('subscribers and traffic of a revealed stream are not in the list of all streams', () => {
  const state = after(
    member,
    create({ ...moss, stream_weekly_traffic: 7, subscribers: users(1, 9) }),
    withSubscribers,
  )

  assert.deepEqual(state.streams?.[1], moss)
  assert.deepEqual(state.never_subscribed?.[0], {
    ...moss,
    stream_weekly_traffic: 7,
    subscribers: [1, 9],
  })
})

test('a create event for a known stream replaces it and keeps fields that the event lacks', () => {
  const renamed = { ...tools, name: 'axes' }

  const kept = after(member, create(renamed), withSubscribers)
  const received = after(
    member,
    create({ ...renamed, stream_weekly_traffic: null, subscribers: users(1) }),
    withSubscribers,
  )

  assert.deepEqual(kept.streams, [renamed, garden, pond, roses])
  assert.deepEqual(kept.never_subscribed, [asNeverSubscribed(renamed, users(5, 9))])
  assert.deepEqual(received.never_subscribed, [
    { ...asNeverSubscribed(renamed, users(1)), stream_weekly_traffic: null },
  ])
})

test('a create event does not change a subscribed stream', () => {
  const state = after(
    member,
    create({ ...garden, stream_weekly_traffic: 1, subscribers: users(9) }),
    withSubscribers,
  )

  assert.deepEqual(state, member)
})

test('a create event replaces a listed private stream', () => {
  const older = { ...pond, description: 'An older one' }

  assert.deepEqual(after(member, create(older), withSubscribers), {
    ...member,
    streams: [garden, older, roses, tools],
  })
})

test('a create event restores the subscribers of an unsubscribed stream', () => {
  const opened = { ...shed, invite_only: false }
  const left = [subscription(roses, users(5, 9)), subscription(opened)]
  const start: State = { ...member, unsubscribed: left }

  const state = after(start, create({ ...opened, subscribers: users(1) }), withSubscribers)

  assert.deepEqual(state.unsubscribed, [left[0], subscription(opened, users(1))])
  assert.deepEqual(namesIn(state, 'streams'), ['garden', 'pond', 'roses', 'shed', 'tools'])
  assert.deepEqual(after(start, create(opened), withSubscribers).unsubscribed, left)
})

test('administrators get private streams in never_subscribed only', () => {
  const state = after(administrator, create(hut), withSubscribers)

  assert.deepEqual(namesIn(state, 'never_subscribed'), ['hut', 'tools', 'vault'])
  assert.equal(state.streams, administrator.streams)
  assert.deepEqual(after(member, create(hut), withSubscribers), member)
})

test('guests get no streams without a subscription', () => {
  assert.equal(after(guest, create(moss), withSubscribers), guest)
  assert.equal(after(guest, occupy(moss)), guest)
})

test('a create event followed by a subscription lists the stream once', () => {
  const joined = subscription(hut, users(2))
  const events = [create(hut), { type: 'subscription', op: 'add', subscriptions: [joined] }]

  const results = [member, administrator, guest].map((start) => afterAll(start, events, withSubscribers))

  for (const [index, state] of results.entries()) {
    const start = [member, administrator, guest][index]
    assert.deepEqual(namesIn(state, 'streams')?.slice(0, 3), ['garden', 'hut', 'pond'])
    assert.deepEqual(state.subscriptions?.[1], joined)
    assert.deepEqual(state.never_subscribed, start?.never_subscribed)
  }
})

test('a delete event removes the stream and its muted topics everywhere', () => {
  const state = after(administrator, remove(garden, vault, roses))

  assert.deepEqual(state, {
    ...administrator,
    streams: [pond, tools],
    subscriptions: administrator.subscriptions?.slice(1),
    unsubscribed: administrator.unsubscribed?.slice(1),
    never_subscribed: administrator.never_subscribed?.slice(0, 1),
    realm_default_streams: [tools],
    realm_default_stream_groups: [group(1, 'outside', [tools])],
    muted_topics: [],
  })
})

test('muted topics of other streams stay muted', () => {
  const state = after(member, remove(roses))

  assert.deepEqual(state.muted_topics, [
    ['garden', 'weeds', 100],
    ['garden', 'moles', 300],
  ])
  assert.equal(state.subscriptions, member.subscriptions)
  assert.equal(state.realm_default_stream_groups, member.realm_default_stream_groups)
})

test('a delete event does not change the notification streams of the organization', () => {
  const start: State = { ...member, realm_notifications_stream_id: ids.tools }

  assert.equal(after(start, remove(tools)).realm_notifications_stream_id, ids.tools)
})

test('the name of a deleted stream can be reused', () => {
  const heir = stream(9, 'roses')

  const state = afterAll(member, [remove(roses), create(heir)], withSubscribers)

  assert.deepEqual(state.streams, [garden, pond, heir, tools])
  assert.deepEqual(namesIn(state, 'unsubscribed'), ['shed'])
  assert.deepEqual(namesIn(state, 'never_subscribed'), ['roses', 'tools'])
})

test('occupy and vacate events keep the stream listed', () => {
  const known = { ...tools, description: 'An older one' }

  assert.equal(after(member, { type: 'stream', op: 'vacate', streams: [tools, moss] }), member)
  assert.deepEqual(after(member, occupy(moss)).streams, [garden, moss, pond, roses, tools])
  assert.equal(after(member, occupy(known, hut)), member)
})

test('unknown stream events change nothing', () => {
  assert.equal(after(member, { type: 'stream', op: 'flood', streams: [garden] }), member)
  assert.equal(after(member, remove(vault)), member)
  assert.equal(subscribersIn(member, ids.vault), undefined)
})

test('events add no lists of streams that were not fetched', () => {
  const start = { user_id: member.user_id } as State

  for (const event of [create(moss), remove(garden), occupy(moss)]) {
    assert.equal(after(start, event, withSubscribers), start)
  }
  const { streams } = member
  const only = after({ ...start, streams } as State, create(moss), withSubscribers)
  assert.deepEqual(Object.keys(only), ['user_id', 'streams'])
})
