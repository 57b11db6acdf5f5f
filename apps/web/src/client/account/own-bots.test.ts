import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { BotType } from '@oxbow/contract/plain'
import { accountState } from '../store.ts'
import { createdBot, findOutgoingService, listCreatableTypes, ownBots } from './own-bots.ts'

afterEach(() => {
  accountState.value = undefined
})

const { generic, incomingWebhook, outgoingWebhook } = BotType

test('the types of bots that a user may create follow the role and the policy', () => {
  const all = [generic, incomingWebhook, outgoingWebhook]
  const webhooks = [incomingWebhook, outgoingWebhook]
  const cases = [
    [{ realm_bot_creation_policy: 1 }, all],
    [{ realm_bot_creation_policy: 2 }, webhooks],
    [{ realm_bot_creation_policy: 3 }, []],
    [{ realm_bot_creation_policy: 3, is_admin: true }, all],
    [{ realm_bot_creation_policy: 1, is_guest: true }, []],
  ] as const
  for (const [state, types] of cases) {
    accountState.value = state as never
    assert.deepEqual(listCreatableTypes(), types, JSON.stringify(state))
  }
})

test("bots of other people and bots without an owner are not among the user's bots", () => {
  const bot = (user_id: number, full_name: string, owner_id: number | null) => ({
    user_id,
    full_name,
    owner_id,
  })
  accountState.value = {
    user_id: 7,
    realm_bots: [bot(1, 'Parrot', 7), bot(2, 'Other', 8), bot(3, 'Herald', 7), bot(4, 'Orphan', null)],
  } as never

  assert.deepEqual(
    ownBots.value.map(({ full_name }) => full_name),
    ['Herald', 'Parrot'],
  )
})

test('a created bot is expected until it arrives, also if it arrives before the response', () => {
  const arrive = () => {
    accountState.value = {
      user_id: 7,
      realm_bots: [{ user_id: 3, full_name: 'Herald', owner_id: 7 }],
    } as never
  }
  accountState.value = { user_id: 7, realm_bots: [] } as never
  createdBot.value = 3
  assert.equal(createdBot.value, 3)
  arrive()
  assert.equal(createdBot.value, undefined)

  createdBot.value = 3
  assert.equal(createdBot.value, undefined)
})

test('only outgoing webhooks have a service with a URL', () => {
  const outgoing = { base_url: 'https://parrot.example/', interface: 1, token: '' } as const

  assert.equal(findOutgoingService({ services: [outgoing] }), outgoing)
  assert.equal(findOutgoingService({ services: [{ service_name: 'counter', config_data: {} }] }), undefined)
  assert.equal(findOutgoingService({ services: [] }), undefined)
})
