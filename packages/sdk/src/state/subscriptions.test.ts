import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role, type Subscription } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import {
  garden,
  ids,
  namesIn,
  pond,
  roses,
  shed,
  stateOf,
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
const add = (...subscriptions: Subscription[]) => ({ type: 'subscription', op: 'add', subscriptions })
const leave = (...names: (keyof typeof ids)[]) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: names.map((name) => ({ name, stream_id: ids[name] })),
})
const set = (name: keyof typeof ids, property: string, value: unknown) => ({
  type: 'subscription',
  op: 'update',
  stream_id: ids[name],
  name,
  email: 'user2@garden.example',
  property,
  value,
})
const peer = (op: 'peer_add' | 'peer_remove', name: keyof typeof ids, id: number) => ({
  type: 'subscription',
  op,
  stream_id: ids[name],
  user_id: id,
})

test('a subscribed stream is listed in subscriptions and no longer in unsubscribed or never_subscribed', () => {
  const joined = [tools, shed, roses].map((one) => subscription(one, users(2, 5, 9)))

  const state = after(member, add(...joined), withSubscribers)

  assert.deepEqual(namesIn(state, 'subscriptions'), ['garden', 'pond', 'roses', 'shed', 'tools'])
  assert.deepEqual(state.subscriptions?.[4], joined[0])
  assert.deepEqual(state.unsubscribed, [])
  assert.deepEqual(state.never_subscribed, [])
  assert.deepEqual(state.streams, [garden, pond, roses, shed, tools])
  assert.equal(state.subscriptions?.[0], member.subscriptions?.[0])
})

test('a repeated subscription replaces the entry but not the stream', () => {
  const again = subscription({ ...garden, description: 'An older one' }, users(2))

  const state = after(member, add(again), withSubscribers)

  assert.deepEqual(state.subscriptions, [again, member.subscriptions?.[1]])
  assert.equal(state.streams, member.streams)
  assert.equal(state.unsubscribed, member.unsubscribed)
  assert.equal(state.never_subscribed, member.never_subscribed)
})

test('subscriptions have no subscribers without include_subscribers', () => {
  const state = after(withoutSubscribers(member), add(subscription(tools, users(2))))

  assert.deepEqual(state.subscriptions?.[2], subscription(tools))
})

test('unsubscribing from a public stream keeps its subscribers visible', () => {
  const state = after(member, leave('garden'))

  assert.deepEqual(state, {
    ...member,
    subscriptions: [member.subscriptions?.[1]],
    unsubscribed: [subscription(garden, users(1, 5)), ...(member.unsubscribed ?? [])],
  })
  assert.equal(state.streams, member.streams)
  assert.equal(state.unsubscribed?.[1], member.unsubscribed?.[0])
})

test('unsubscribing from a private stream hides its subscribers, except for administrators', () => {
  const state = after(member, leave('pond'))
  const administratorState = after(administrator, leave('pond'))

  assert.deepEqual(state.unsubscribed?.[0], subscription(pond))
  assert.deepEqual(namesIn(state, 'streams'), ['garden', 'roses', 'tools'])
  assert.deepEqual(administratorState.unsubscribed?.[0], subscription(pond, users(5)))
  assert.deepEqual(namesIn(administratorState, 'streams'), ['garden', 'roses', 'tools'])
})

test('a guest does not see a stream after unsubscribing', () => {
  const state = after(guest, leave('garden'))

  assert.deepEqual(state.unsubscribed?.[0], subscription(garden))
  assert.deepEqual(namesIn(state, 'streams'), ['pond'])
})

test('unsubscribing and subscribing again restores the subscription', () => {
  const joined = subscription(pond, users(2, 5))

  for (const start of [member, administrator, guest]) {
    assert.deepEqual(afterAll(start, [leave('pond'), add(joined)], withSubscribers), start)
  }
})

test('subscribing and unsubscribing again restores the lists', () => {
  const state = afterAll(member, [add(subscription(shed, users(2, 5))), leave('shed')], withSubscribers)

  assert.deepEqual(state, member)
})

test('unsubscribing from a stream without subscription changes nothing', () => {
  assert.equal(after(member, leave('roses', 'shed', 'tools', 'vault')), member)
})

test("if the user's own id is unknown, unsubscribing leaves it among the subscribers", () => {
  const { user_id: _, ...start } = member

  assert.deepEqual(subscribersIn(after(start, leave('garden')), ids.garden), [1, 2, 5])
})

test('a setting event changes the subscription', () => {
  const state = afterAll(member, [
    set('garden', 'color', '#c2726a'),
    set('garden', 'pin_to_top', true),
    set('garden', 'push_notifications', false),
  ])

  const { subscriptions: [old] = [] } = member
  assert.deepEqual(state.subscriptions?.[0], {
    ...old,
    color: '#c2726a',
    pin_to_top: true,
    push_notifications: false,
  })
  assert.equal(state.subscriptions?.[1], member.subscriptions?.[1])
  assert.equal(state.unsubscribed, member.unsubscribed)
  assert.equal(state.streams, member.streams)
})

test('in_home_view false sets is_muted', () => {
  const muted = after(member, set('garden', 'in_home_view', false))
  const unmuted = after(muted, set('garden', 'in_home_view', true))

  const flags = ({ subscriptions: [first] = [] }: State) => [first?.in_home_view, first?.is_muted]
  assert.deepEqual(flags(muted), [false, true])
  assert.deepEqual(flags(unmuted), [true, false])
})

test('a setting event also changes an unsubscribed stream', () => {
  const state = after(member, set('roses', 'color', '#c2726a'))

  assert.equal(state.unsubscribed?.[0]?.color, '#c2726a')
  assert.equal(state.subscriptions, member.subscriptions)
})

test('peer events change subscribers in every list that has them', () => {
  const names = ['garden', 'roses', 'vault'] as const
  const joined = afterAll(
    administrator,
    names.map((name) => peer('peer_add', name, 7)),
  )
  const unsubscribed = afterAll(
    joined,
    names.map((name) => peer('peer_remove', name, 5)),
  )

  assert.deepEqual(
    names.map((name) => subscribersIn(joined, ids[name])),
    [
      [1, 2, 5, 7],
      [5, 7, 9],
      [5, 7, 9],
    ],
  )
  assert.deepEqual(
    names.map((name) => subscribersIn(unsubscribed, ids[name])),
    [
      [1, 2, 7],
      [7, 9],
      [7, 9],
    ],
  )
})

test('peer events insert subscribers at the first and last position', () => {
  const state = afterAll(member, [
    peer('peer_add', 'tools', 10),
    peer('peer_add', 'tools', 1),
    peer('peer_remove', 'garden', 5),
    peer('peer_remove', 'garden', 1),
    peer('peer_remove', 'garden', 2),
  ])

  assert.deepEqual(subscribersIn(state, ids.tools), [1, 5, 9, 10])
  assert.deepEqual(subscribersIn(state, ids.garden), [])
})

test('a peer event changes the object of one stream only', () => {
  const state = after(member, peer('peer_add', 'garden', 7))

  assert.equal(state.subscriptions?.[1], member.subscriptions?.[1])
  assert.equal(state.unsubscribed, member.unsubscribed)
  assert.equal(state.never_subscribed, member.never_subscribed)
})

test('a repeated peer event changes nothing', () => {
  assert.equal(after(member, peer('peer_add', 'garden', 5)), member)
  assert.equal(after(member, peer('peer_remove', 'garden', 7)), member)
})

test('peer events add no subscribers to lists without them', () => {
  const start = withoutSubscribers(member)

  assert.equal(after(member, peer('peer_add', 'shed', 7)), member)
  assert.equal(after(start, peer('peer_add', 'garden', 7)), start)
  assert.equal(after(start, peer('peer_remove', 'garden', 5)), start)
})

test('subscription events with an unknown op, or for a stream not in the lists, change nothing', () => {
  assert.equal(after(member, { type: 'subscription', op: 'doze', stream_id: ids.garden }), member)
  assert.equal(after(member, set('tools', 'color', '#c2726a')), member)
  assert.equal(after(member, set('vault', 'color', '#c2726a')), member)
  assert.equal(after(member, peer('peer_add', 'vault', 7)), member)
})

test('events add no subscriptions if subscriptions were not fetched', () => {
  const start = { user_id: member.user_id, streams: member.streams } as State

  const joined = after(start, add(subscription(vault, users(2))), withSubscribers)

  assert.deepEqual(Object.keys(joined), ['user_id', 'streams'])
  assert.deepEqual(namesIn(joined, 'streams'), ['garden', 'pond', 'roses', 'tools', 'vault'])
  assert.deepEqual(namesIn(after(joined, leave('vault', 'garden')), 'streams'), namesIn(member, 'streams'))
  assert.equal(after(start, set('garden', 'color', '#c2726a')), start)
  assert.equal(after(start, peer('peer_add', 'garden', 7)), start)
})
