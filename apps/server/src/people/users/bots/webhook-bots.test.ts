import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEndpoints, type OrganizationId, type ScheduledMessageId } from '@oxbow/contract'
import { eventually, request, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { findWebhookSecret } from '../../../identity/accounts/webhook-secret.ts'
import { lockSettings } from '../../../identity/lock-settings.ts'
import { deliverNow } from '../../../messages/scheduled/test/deliver-now.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'

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

test('messages that an incoming webhook has scheduled are deleted when it gets a secret', async () => {
  const bot = await makeBot(world, iris, 'planner', { bot_type: 2 })
  const { stream_id } = await world.stream('orchard', { by: iris })
  await bot.messages.send({
    ...{ type: 'stream', to: stream_id, topic: 'apples', content: 'Ripe.' },
    ...{ delivery_type: 'send_later', deliver_at: '2099-01-01' },
  })
  const countScheduled = async () =>
    (await world.database.query('select from scheduled_message where sender_id = $1', [bot.user_id])).length
  const configure = (config_data: Record<string, string>) =>
    iris.bots.update({ bot_id: bot.user_id, config_data })

  await configure({ other: 'x', webhook_secret: '' })
  assert.equal(await countScheduled(), 1)
  await configure({ webhook_secret: 'hush' })
  assert.equal(await countScheduled(), 0)
})

test('a message that an incoming webhook schedules while it gets a secret is not sent', async () => {
  const bot = await makeBot(world, iris, 'hasty', { bot_type: 2 })
  const { stream_id, name } = await world.stream('meadow', { by: iris })
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

  const { scheduling } = await inTransaction(world.nodes.b.app.db, async (tx) => {
    const organization_id = world.organization_id as OrganizationId
    await lockSettings(tx, { organization_id, user_id: bot.user_id })
    const scheduling = bot.messages.send({
      ...{ type: 'stream', to: stream_id, topic: 'apples', content: 'Ripe.' },
      ...{ delivery_type: 'send_later', deliver_at: '2099-01-01' },
    })
    await eventually(async () => (await world.database.query(waiting)).length === 1)
    await iris.bots.update({ bot_id: bot.user_id, config_data: { webhook_secret: 'hush' } })
    return { scheduling }
  })
  await scheduling
  const listScheduled = () =>
    world.database.query<{ id: ScheduledMessageId; failure: string | null }>(
      'select id, failure from scheduled_message where sender_id = $1',
      [bot.user_id],
    )
  await deliverNow(
    world,
    (await listScheduled()).map(({ id }) => id),
  )

  assert.deepEqual(await readMessages(iris, { stream: name }), [])
  const [{ failure } = {}] = await listScheduled()
  assert.match(failure ?? '', /posts only signed deliveries/)
})
