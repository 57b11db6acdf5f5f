import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountState } from '../client/store.ts'
import { typedNames } from './names.ts'

const person = (user_id: number, full_name: string) => ({ user_id, full_name, is_active: true })

accountState.value = {
  user_id: 1,
  full_name: 'Iris Gardener',
  subscriptions: ['team a', 'team-a', 'café', '-'].map((name, index) => ({ stream_id: index + 1, name })),
  unsubscribed: [],
  never_subscribed: [],
  realm_users: [person(1, 'Iris Gardener'), person(2, 'José Núñez'), person(3, 'Jose Nunez')],
  cross_realm_bots: [],
} as never

test('a typed name finds the stream that differs from it only in case, else in accents', () => {
  assert.equal(typedNames.findStream('Team-A')?.stream_id, 2)
  assert.equal(typedNames.findStream('TEAM A')?.stream_id, 1)
  assert.equal(typedNames.findStream('Cafe')?.stream_id, 3)
  assert.equal(typedNames.findStream('team'), undefined)
  assert.equal(typedNames.findStream(''), undefined)
})

test('a typed name finds the person that differs from it only in case, else in accents', () => {
  assert.deepEqual(typedNames.findPerson('jose nunez')?.user_ids, [3])
  assert.deepEqual(typedNames.findPerson('JOSÉ NÚÑEZ')?.user_ids, [2])
  assert.deepEqual(typedNames.findPerson('íris gardener')?.user_ids, [1])
  assert.deepEqual(typedNames.findPerson('me')?.user_ids, [1])
  assert.equal(typedNames.findPerson(''), undefined)
})
