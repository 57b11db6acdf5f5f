import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { omitBotSecrets, omitEventSecrets } from './bot-secrets.ts'
import type { State } from './state.ts'

const outgoing = { base_url: 'https://parrot.example/', interface: 1, token: 'secret token' }
const embedded = { service_name: 'counter', config_data: { password: 'secret entry' } }
const parrot = { user_id: 3, full_name: 'Parrot', api_key: 'secret key', services: [outgoing] }
const counter = { user_id: 4, full_name: 'Counter', api_key: 'secret key', services: [embedded] }

test('omitBotSecrets empties keys, tokens and configurations, and keeps all other fields', () => {
  const state = { user_id: 7, realm_bots: [parrot, counter] } as unknown as State

  assert.deepEqual(omitBotSecrets(state), {
    user_id: 7,
    realm_bots: [
      { ...parrot, api_key: '', services: [{ ...outgoing, token: '' }] },
      { ...counter, api_key: '', services: [{ ...embedded, config_data: {} }] },
    ],
  })
})

test('omitBotSecrets returns the same object if a state has no secrets', () => {
  const clean = omitBotSecrets({ realm_bots: [parrot, counter] } as unknown as State)

  assert.equal(omitBotSecrets(clean), clean)
  const withoutBots = { user_id: 7 } as unknown as State
  assert.equal(omitBotSecrets(withoutBots), withoutBots)
})

test('omitEventSecrets empties the secrets of every event about a bot', () => {
  const events = [
    { op: 'add', bot: parrot },
    { op: 'add', bot: counter },
    { op: 'update', bot: { user_id: 3, api_key: 'secret key' } },
    { op: 'update', bot: { user_id: 3, services: [outgoing] } },
    { op: 'update', bot: { user_id: 3, full_name: 'Parakeet' } },
    { op: 'delete', bot: { user_id: 3 } },
  ].map((event, id) => ({ id, type: 'realm_bot', ...event }) as unknown as Event)

  const clean = events.map(omitEventSecrets)

  assert.doesNotMatch(JSON.stringify(clean), /secret/)
  assert.deepEqual(clean.slice(2), [
    { ...events[2], bot: { user_id: 3, api_key: '' } },
    { ...events[3], bot: { user_id: 3, services: [{ ...outgoing, token: '' }] } },
    ...events.slice(4),
  ])
})

test('omitEventSecrets does not change events of other types', () => {
  const event = { id: 1, type: 'heartbeat' } as Event

  assert.equal(omitEventSecrets(event), event)
})
