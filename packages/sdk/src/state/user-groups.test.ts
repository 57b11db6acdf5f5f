import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role, type UserGroup, type UserGroupId, type UserId } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import { stateOf } from '../../test/example-streams.ts'
import type { State } from './state.ts'

const users = (...ids: number[]) => ids as UserId[]
const group = (id: number, name: string, members: UserId[]): UserGroup => ({
  id: id as UserGroupId,
  name,
  description: '',
  members,
})
const bakers = group(2, 'bakers', users(1, 5, 9))
const cooks = group(4, 'cooks', [])
const start: State = { ...stateOf(Role.member), realm_user_groups: [bakers, cooks] }
const groupsAfter = (event: object) => after(start, { type: 'user_group', ...event }).realm_user_groups

test('a new group is inserted by its id', () => {
  for (const [id, place] of [
    [1, 0],
    [3, 1],
    [7, 2],
  ] as const) {
    const added = group(id, 'millers', users(3))
    assert.deepEqual(groupsAfter({ op: 'add', group: added }), [bakers, cooks].toSpliced(place, 0, added))
  }
})

test('update events change name and description separately', () => {
  assert.deepEqual(groupsAfter({ op: 'update', group_id: 2, data: { name: 'Bakers' } }), [
    { ...bakers, name: 'Bakers' },
    cooks,
  ])
  assert.deepEqual(groupsAfter({ op: 'update', group_id: 4, data: { description: 'Soup' } }), [
    bakers,
    { ...cooks, description: 'Soup' },
  ])
})

test('member events keep the members sorted', () => {
  assert.deepEqual(
    groupsAfter({ op: 'add_members', group_id: 2, user_ids: users(3, 7, 9) })?.[0]?.members,
    [1, 3, 5, 7, 9],
  )
  assert.deepEqual(groupsAfter({ op: 'remove_members', group_id: 2, user_ids: users(1, 9, 11) }), [
    { ...bakers, members: [5] },
    cooks,
  ])
})

test('a remove event removes the group', () => {
  assert.deepEqual(groupsAfter({ op: 'remove', group_id: 2 }), [cooks])
})

test('events without a change or with an unknown group keep the state object', () => {
  for (const event of [
    { op: 'update', group_id: 2, data: { name: 'bakers' } },
    { op: 'add_members', group_id: 2, user_ids: users(5) },
    { op: 'remove_members', group_id: 2, user_ids: users(6) },
    { op: 'add_members', group_id: 3, user_ids: users(5) },
    { op: 'remove', group_id: 3 },
  ])
    assert.equal(after(start, { type: 'user_group', ...event }), start)
})

test('successive group events are applied one after another', () => {
  const type = 'user_group'
  const state = afterAll(start, [
    { type, op: 'remove', group_id: 2 },
    { type, op: 'add', group: group(5, 'bakers', users(2)) },
    { type, op: 'add_members', group_id: 5, user_ids: users(1) },
    { type, op: 'update', group_id: 5, data: { name: 'Bakers' } },
  ])

  assert.deepEqual(state.realm_user_groups, [cooks, group(5, 'Bakers', users(1, 2))])
})

test('events add no user groups if user groups were not fetched', () => {
  const { realm_user_groups: _, ...without } = start
  const state = without as State
  assert.equal(after(state, { type: 'user_group', op: 'add', group: bakers }), state)
})
