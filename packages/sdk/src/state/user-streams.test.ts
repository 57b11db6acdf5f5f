import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role, type UserId } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import {
  ids,
  namesIn,
  roses,
  shed,
  stateOf,
  subscribersIn,
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
const role = (id: number, role: Role) => ({ type: 'realm_user', op: 'update', person: { user_id: id, role } })
const deactivate = (id: number) => ({
  type: 'realm_user',
  op: 'remove',
  person: { user_id: id, full_name: 'Rosa' },
})
const create = (...streams: object[]) => ({ type: 'stream', op: 'create', streams })
const remove = (...streams: object[]) => ({ type: 'stream', op: 'delete', streams })
const defaults = [
  { type: 'default_streams', default_streams: member.realm_default_streams },
  { type: 'default_stream_groups', default_stream_groups: member.realm_default_stream_groups },
]
const received = { stream_weekly_traffic: 10, subscribers: users(5, 9) }

test('a deactivated user is removed from all streams', () => {
  const state = after(administrator, deactivate(5))

  const names = ['garden', 'pond', 'roses', 'shed', 'tools', 'vault'] as const
  assert.deepEqual(
    names.map((name) => subscribersIn(state, ids[name])),
    [[1, 2], [2], [9], [9], [9], [9]],
  )
})

test('streams without the deactivated user stay the same objects', () => {
  const state = after(administrator, deactivate(1))

  assert.deepEqual(subscribersIn(state, ids.garden), [2, 5])
  assert.equal(state.subscriptions?.[1], administrator.subscriptions?.[1])
  assert.equal(state.unsubscribed, administrator.unsubscribed)
  assert.equal(state.never_subscribed, administrator.never_subscribed)
})

test('a deactivated user is removed even if users were not fetched', () => {
  const { realm_users: _, realm_non_active_users: __, ...start } = member

  const state = after(start, deactivate(9))

  assert.deepEqual(subscribersIn(state, ids.tools), [5])
  assert.equal(state.realm_users, undefined)
  assert.equal(after(withoutSubscribers(start), deactivate(9)).subscriptions?.[0]?.subscribers, undefined)
})

test('losing the administrator role hides subscribers of private streams', () => {
  const hidden = after(administrator, role(2, Role.member))
  const state = afterAll(administrator, [role(2, Role.member), remove(vault)])

  assert.deepEqual(hidden.unsubscribed, member.unsubscribed)
  assert.equal(hidden.unsubscribed?.[0], administrator.unsubscribed?.[0])
  assert.deepEqual(state, member)
})

test('a new administrator gets private streams and their subscribers', () => {
  const events = [role(2, Role.administrator), create({ ...shed, ...received }, { ...vault, ...received })]

  assert.deepEqual(afterAll(member, events, withSubscribers), administrator)
})

test('becoming a guest leaves only subscribed streams', () => {
  assert.deepEqual(after(member, role(2, Role.guest)), guest)
  assert.deepEqual(after(administrator, role(2, Role.guest)), guest)
})

test('a guest who becomes a member gets the public streams', () => {
  const events = [
    role(2, Role.member),
    create({ ...roses, ...received }, { ...tools, ...received }),
    ...defaults,
  ]

  assert.deepEqual(afterAll(guest, events, withSubscribers), member)
})

test('changing the role and changing it back restores the lists', () => {
  const events = [
    role(2, Role.guest),
    role(2, Role.member),
    create({ ...roses, ...received }, { ...tools, ...received }),
    ...defaults,
    role(2, Role.administrator),
    create({ ...shed, ...received }, { ...vault, ...received }),
    role(2, Role.member),
    remove(vault),
  ]

  assert.deepEqual(afterAll(member, events, withSubscribers), member)
})

test('a role change that hides no stream changes no list', () => {
  const state = after(administrator, role(2, Role.owner))

  assert.deepEqual(state, { ...administrator, is_owner: true })
  assert.equal(state.unsubscribed, administrator.unsubscribed)
  assert.equal(after(guest, role(2, Role.guest)).never_subscribed, guest.never_subscribed)
})

test('role changes of other users and other user events change no list', () => {
  const name = { type: 'realm_user', op: 'update', person: { user_id: 2, full_name: 'Rosa' } }

  assert.equal(after(administrator, role(1, Role.guest)), administrator)
  assert.equal(after(administrator, name), administrator)
})

test('becoming a guest keeps streams if subscriptions were not fetched', () => {
  const { subscriptions: _, ...start } = member

  assert.deepEqual(namesIn(after(start, role(2, Role.guest)), 'streams'), namesIn(member, 'streams'))
})

test('becoming a guest adds no lists that were not fetched', () => {
  const start = { user_id: 2 as UserId } as State

  assert.equal(after(start, role(2, Role.guest)), start)
})
