import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { startWorld } from '@oxbow/testkit'

test('a regenerated key replaces the old one at once on both nodes', async () => {
  await using world = await startWorld()
  const iris = await world.person('iris')
  const bot = await world.bot('mower', iris)

  for (const account of [iris, bot]) {
    const { api_key } = await account.on('b').users.regenerateApiKey()

    assert.match(api_key, /^[A-Za-z0-9]{32}$/)
    assert.notEqual(api_key, account.api_key)
    for (const node of ['a', 'b'] as const) {
      await assert.rejects(account.on(node).users.me(), { status: 401, message: 'Invalid API key' })
      const renewed = createClient({
        url: world.nodes[node].url,
        credentials: { email: account.email, api_key },
      })
      assert.equal((await renewed.users.me()).user_id, account.user_id)
    }
  }
})

test('signing in returns the regenerated key', async () => {
  await using world = await startWorld()
  const { email, password, users } = world.owner

  const { api_key } = await users.regenerateApiKey()

  const fetched = await world.anonymous('b').authentication.fetchApiKey({ username: email, password })
  assert.deepEqual(fetched, { api_key, email })
})
