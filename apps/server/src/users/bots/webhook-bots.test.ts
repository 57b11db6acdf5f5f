import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEndpoints, type OrganizationId } from '@oxbow/contract'
import { request, startWorld } from '@oxbow/testkit'
import { makeBot } from '../../../test/make-bot.ts'
import { findWebhookSecret } from './webhook-secret.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
const hook = await makeBot(world, iris, 'hook', { bot_type: 2 })
const { email, api_key } = hook
const closed = {
  result: 'error',
  msg: 'This API is not available to incoming webhook bots.',
  code: 'UNAUTHORIZED',
}

for (const { name, endpoint } of listEndpoints().filter(({ endpoint }) => endpoint.auth === 'user')) {
  if (endpoint.webhookBots) continue
  test(`the key of an incoming webhook is refused by ${name}`, async () => {
    const path = endpoint.path.replace(/\{\w+\}/g, '1')
    const rawRequest = { method: endpoint.method, path, credentials: { email, api_key } }
    const { status, body } = await request(world.nodes.b.url, rawRequest)
    assert.deepEqual([status, body], [401, closed])
  })
}

test('the key of an incoming webhook can only send messages', async () => {
  const open = listEndpoints().filter(({ endpoint }) => endpoint.webhookBots)
  assert.deepEqual(
    open.map(({ name }) => name).filter((name) => !name.startsWith('webhooks.')),
    ['messages.send'],
  )
  const { stream_id } = await world.stream('garden', { by: iris })
  const sent = await hook.messages.send({ type: 'stream', to: stream_id, topic: 'roses', content: 'Pruned.' })
  assert.ok(sent.id > 0)
})

test('the key of an incoming webhook cannot fetch avatars', async () => {
  const { status, body } = await request(world.nodes.a.url, {
    path: `/avatar/${iris.user_id}`,
    query: { api_key },
  })
  assert.deepEqual([status, body], [401, closed])
})

const secretOf = (user_id: typeof hook.user_id) => {
  const { app } = world.nodes.b
  return findWebhookSecret(app, app.db, { organization_id: world.organization_id as OrganizationId, user_id })
}

test('findWebhookSecret returns the secret if one is set', async () => {
  const config_data = { webhook_secret: 'hush', other: 'x' }
  const signed = await makeBot(world, iris, 'signed', { bot_type: 2, service_name: 'github', config_data })
  const generic = await makeBot(world, iris, 'generic', { config_data })

  assert.equal(await secretOf(signed.user_id), 'hush')
  assert.equal(await secretOf(hook.user_id), undefined)
  assert.equal(await secretOf(generic.user_id), undefined)
  assert.equal(await secretOf(iris.user_id), undefined)
  await iris.bots.update({ bot_id: hook.user_id, config_data: { webhook_secret: 'later' } })
  assert.equal(await secretOf(hook.user_id), 'later')
})

test('the database does not contain the webhook secret in plain text', async () => {
  const rows = await world.database.query('select * from bot_service where organization_id = $1', [
    world.organization_id,
  ])
  const text = rows.map((row) => Object.values(row).map(String).join()).join()
  assert.ok(rows.length > 0 && !/hush|later/.test(text))
})
