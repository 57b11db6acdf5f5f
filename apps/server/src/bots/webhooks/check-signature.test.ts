import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually, type NodeName, type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'
import { type Delivering, deliver, success } from '@oxbow/testkit/calls/webhooks'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
await world.stream('garden', { members: [iris] })

/** Signs a ping, which produces a message. */
const body = JSON.stringify({
  zen: 'Keep it simple.',
  hook: { type: 'Repository' },
  repository: { name: 'beds' },
})
const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

interface Signing {
  signature?: string
  query?: Record<string, string>
  node?: NodeName
}

async function ping(bot: Person, { signature, query, node = 'a' }: Signing = {}) {
  const { status, body: response } = await deliver(world, {
    integration: 'github',
    node,
    bot,
    body,
    query: { stream: 'garden', ...query },
    headers: { 'x-github-event': 'ping', ...(signature && { 'x-hub-signature-256': signature }) },
  })
  return { status, body: response }
}

const fine = { status: 200, body: success }
const wrong = refusal('Webhook signature verification failed.')

async function hookWithSecret(name: string, webhook_secret: string): Promise<Person> {
  const bot = await world.bot(name, iris, BotType.incomingWebhook)
  await iris.bots.update({ bot_id: bot.user_id, config_data: { webhook_secret }, files: [] })
  return bot
}

test('a bot without a secret accepts unsigned deliveries and any signature', async () => {
  const bot = await world.bot('plain', iris, BotType.incomingWebhook)
  assert.deepEqual(await ping(bot), fine)
  assert.deepEqual(await ping(bot, { signature: sign('anything') }), fine)
})

test('a bot with a secret accepts only deliveries signed with it', async () => {
  const bot = await hookWithSecret('signed', 'rosebud')
  assert.deepEqual(await ping(bot, { signature: sign('rosebud') }), fine)
  assert.deepEqual(await ping(bot, { signature: sign('thorn') }), wrong)
  assert.deepEqual(await ping(bot, { signature: 'nonsense' }), wrong)
  assert.deepEqual(await ping(bot), wrong)
})

test('a secret in the URL is used only if the bot has no secret', async () => {
  const plain = await world.bot('bare', iris, BotType.incomingWebhook)
  const query = { webhook_secret: 'thorn' }
  assert.deepEqual(await ping(plain, { query, signature: sign('thorn') }), fine)
  assert.deepEqual(await ping(plain, { query, signature: sign('rosebud') }), wrong)
  assert.deepEqual(
    await ping(plain, { query: { webhook_secret: '' }, signature: sign('') }),
    refusal('The webhook secret is missing. Please set the webhook_secret while generating the URL.'),
  )
  const bot = await hookWithSecret('guarded', 'rosebud')
  assert.deepEqual(await ping(bot, { query, signature: sign('thorn') }), wrong)
  assert.deepEqual(await ping(bot, { query, signature: sign('rosebud') }), fine)
})

test('a changed secret applies on every node', async () => {
  const bot = await hookWithSecret('changing', 'old')
  for (const node of ['a', 'b'] as const)
    assert.deepEqual(await ping(bot, { node, signature: sign('old') }), fine)

  await iris.bots.update({ bot_id: bot.user_id, config_data: { webhook_secret: 'new' }, files: [] })
  await world.settled()
  for (const node of ['a', 'b'] as const) {
    await eventually(async () => (await ping(bot, { node, signature: sign('new') })).status === 200)
    assert.deepEqual(await ping(bot, { node, signature: sign('old') }), wrong)
  }
})

test('a bot with a secret refuses deliveries of integrations without signatures', async () => {
  const bot = await hookWithSecret('greeter', 'rosebud')
  const text = 'rosebud'
  const deliveries: Delivering[] = [
    {},
    { query: { webhook_secret: 'rosebud' } },
    { integration: 'json', json: { text } },
    { integration: 'slack_incoming', json: { text } },
    { integration: 'ifttt', json: { topic: 'roses', content: text } },
  ]
  for (const delivery of deliveries) {
    const query = { stream: 'garden', ...delivery.query }
    const { status, body } = await deliver(world, { bot, ...delivery, query })
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /accepts only signed deliveries, and .+ does not sign them/)
  }
  const { webhook_failures } = await iris.webhooks.listFailures({ bot_id: bot.user_id })
  assert.deepEqual(
    webhook_failures.map(({ may_be_replayed }) => may_be_replayed),
    deliveries.map(() => false),
  )
})

test('the key of a bot with a secret is not enough to send or schedule messages', async () => {
  const bot = await hookWithSecret('sealed', 'rosebud')
  const message = { type: 'stream', to: 'garden', topic: 'roses', content: 'Pruned.' }
  for (const node of ['a', 'b'] as const) {
    const { messages } = bot.on(node)
    await assert.rejects(messages.send(message), { errorName: 'BOT_POSTS_ONLY_SIGNED' })
    await assert.rejects(
      messages.send({ ...message, delivery_type: 'send_later', deliver_at: '2099-01-01' }),
      {
        errorName: 'BOT_POSTS_ONLY_SIGNED',
      },
    )
  }
  assert.deepEqual(await ping(bot, { signature: sign('rosebud') }), fine)
})

test('a bot without a secret accepts deliveries of integrations without signatures', async () => {
  const bot = await world.bot('open', iris, BotType.incomingWebhook)
  const query = { stream: 'garden', webhook_secret: 'thorn' }
  assert.equal((await deliver(world, { bot, query })).status, 200)
})

test('an empty secret removes the secret of a bot, at once on every node', async () => {
  const bot = await hookWithSecret('unlocked', 'rosebud')
  const message = { type: 'stream', to: 'garden', topic: 'roses', content: 'Pruned.' }
  for (const node of ['a', 'b'] as const) {
    assert.deepEqual(await ping(bot, { node }), wrong)
    await assert.rejects(bot.on(node).messages.send(message), { errorName: 'BOT_POSTS_ONLY_SIGNED' })
  }

  await iris.bots.update({ bot_id: bot.user_id, config_data: { webhook_secret: '' }, files: [] })
  for (const node of ['b', 'a'] as const) {
    assert.ok((await bot.on(node).messages.send(message)).id > 0)
    assert.deepEqual(await ping(bot, { node }), fine)
    assert.equal((await deliver(world, { node, bot, query: { stream: 'garden' } })).status, 200)
    const query = { webhook_secret: 'thorn' }
    assert.deepEqual(await ping(bot, { node, query, signature: sign('thorn') }), fine)
    assert.deepEqual(await ping(bot, { node, query, signature: sign('') }), wrong)
    assert.deepEqual(await ping(bot, { node, query }), wrong)
  }
})
