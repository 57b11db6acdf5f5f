import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, PresenceStatus } from '@oxbow/contract'
import { applyEvent } from './apply-event.ts'
import type { State } from './state.ts'

const report = (client: string, status: PresenceStatus, timestamp: number) => ({
  client,
  status,
  timestamp,
  pushable: false,
})

const received = (client: string, status: PresenceStatus, timestamp: number, email?: string) =>
  ({
    id: timestamp,
    type: 'presence',
    user_id: 7,
    ...(email && { email }),
    server_timestamp: timestamp,
    presence: { [client]: report(client, status, timestamp) },
  }) as Event

const stateWith = (presences: object, email?: string) =>
  ({
    presences,
    ...(email && { realm_users: [{ user_id: 7, email }], realm_non_active_users: [] }),
  }) as unknown as State

test("the aggregated presence is the user's newest report", () => {
  const first = applyEvent(stateWith({}), received('website', 'active', 10, 'iris@garden.example'))
  const second = applyEvent(first, received('phone', 'idle', 20, 'iris@garden.example'))
  const third = applyEvent(second, received('website', 'active', 30, 'iris@garden.example'))

  assert.deepEqual(third.presences, {
    'iris@garden.example': {
      website: report('website', 'active', 30),
      phone: report('phone', 'idle', 20),
      aggregated: { client: 'website', status: 'active', timestamp: 30 },
    },
  })
})

test('slim presences keep the newest time of each status', () => {
  const events = [
    received('website', 'idle', 10),
    received('website', 'active', 20),
    received('phone', 'active', 15),
  ]

  const state = events.reduce((folded, event) => applyEvent(folded, event), stateWith({}))

  assert.deepEqual(state.presences, { 7: { active_timestamp: 20, idle_timestamp: 10 } })
})

test('presences get a new key when the display address changes', () => {
  const renamed = {
    id: 9,
    type: 'realm_user',
    op: 'update',
    person: { user_id: 7, new_email: 'new@garden.example' },
  }
  const events = [received('website', 'active', 10, 'old@garden.example'), renamed as Event]
  const fold = (state: State) => events.reduce((folded, event) => applyEvent(folded, event), state)

  const once = fold(stateWith({}, 'old@garden.example'))

  assert.deepEqual(Object.keys(once.presences ?? {}), ['new@garden.example'])
  assert.deepEqual(fold(once).presences, once.presences)
})

test('a deactivated user is removed from presences by address and by id', () => {
  const removed = {
    id: 9,
    type: 'realm_user',
    op: 'remove',
    person: { user_id: 7, full_name: 'Iris' },
  } as Event

  for (const key of ['old@garden.example', '7']) {
    const state = applyEvent(stateWith({ [key]: {}, other: {} }, 'old@garden.example'), removed)
    assert.deepEqual(state.presences, { other: {} })
  }
})

test('events add no presences if presences were not fetched', () => {
  const state = { realm_users: [] } as unknown as State

  assert.equal(applyEvent(state, received('website', 'active', 10)), state)
})
