import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { basic, request, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'
import { deliver } from '@oxbow/testkit/calls/webhooks'

const world = await startWorld({ config: { rate_limit_per_minute: 30 } })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

let count = 0
const newBot = () => world.bot(`hook${count++}`, iris, BotType.incomingWebhook)

const ticket = { ticket_id: '7', ticket_title: 'Weeds', message: 'They grow.' }
const basically = async (authorization?: string) => {
  const { status, body, headers } = await deliver(world, {
    integration: 'zendesk',
    form: ticket,
    headers: authorization === undefined ? {} : { authorization },
  })
  return { response: { status, body }, challenge: headers.get('www-authenticate') }
}

test("HTTP Basic with the bot's address and key is accepted for services that support nothing else", async () => {
  const bot = await newBot()
  assert.equal((await basically(basic(bot))).response.status, 200)
  const inCapitals = { ...bot, email: ` ${bot.email.toUpperCase()} ` }
  assert.equal((await basically(basic(inCapitals))).response.status, 200)
})

test('each mistake in HTTP Basic has a specific error, and a 401 contains WWW-Authenticate', async () => {
  const bot = await newBot()
  const unauthorized = (msg: string) => refusal(msg, { status: 401, code: 'INVALID_API_KEY' })
  const rows: [authorization: string | undefined, answer: ReturnType<typeof refusal>][] = [
    [undefined, unauthorized('Missing authorization header for basic auth')],
    ['Basic', unauthorized('Invalid authorization header for basic auth')],
    ['Basic !!!', unauthorized('Invalid authorization header for basic auth')],
    ['Bearer x', refusal('This endpoint requires HTTP basic authentication.')],
    [basic({ ...bot, api_key: 'short' }), unauthorized('Malformed API key')],
    [basic({ ...bot, api_key: 'z'.repeat(32) }), unauthorized('Invalid API key')],
    [basic({ ...bot, email: iris.email }), unauthorized('Invalid API key')],
    [basic(iris), refusal('This API is only available to incoming webhook bots.')],
  ]
  for (const [authorization, expected] of rows) {
    const { response, challenge } = await basically(authorization)
    assert.deepEqual(response, expected, authorization)
    assert.equal(challenge, expected.status === 401 ? 'Basic realm="chat"' : null)
  }
  await world.database.query('update user_account set is_active = false where id = $1', [bot.user_id])
  const { response } = await basically(basic(bot))
  assert.deepEqual(response, refusal('Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' }))
})

test('a key in the URL is refused by an integration that expects HTTP Basic', async () => {
  const bot = await newBot()
  const { status } = await deliver(world, { integration: 'zendesk', bot, form: ticket })
  assert.equal(status, 401)
})

test('HEAD reports whether the URL and its key are valid', async () => {
  const bot = await newBot()
  const head = async (api_key: string, integration: string) =>
    (await deliver(world, { integration, method: 'HEAD', query: { api_key } })).status
  assert.equal(await head(bot.api_key, 'trello'), 200)
  assert.equal(await head('z'.repeat(32), 'trello'), 401)
  assert.equal(await head(iris.api_key, 'trello'), 400)
  assert.equal(await head(bot.api_key, 'helloworld'), 405)
})

test("deliveries count towards the bot's rate limit", async () => {
  const bot = await newBot()
  const send = () => deliver(world, { bot })
  const first = await send()
  assert.deepEqual(
    [first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')],
    ['30', '29'],
  )
  await bot.messages.send({ type: 'private', to: [iris.user_id], content: 'Pruned.' })
  for (let left = 28; left > 0; left--) assert.equal((await send()).status, 200)
  const last = await send()

  assert.deepEqual([last.status, last.body.code], [429, 'RATE_LIMIT_HIT'])
  assert.equal(last.body.msg, 'API usage exceeded rate limit')
  assert.ok(Number(last.headers.get('retry-after')) > 0 && Number(last.body['retry-after']) > 0)
  // Unauthenticated requests are not counted, and each bot has a separate limit.
  assert.equal((await deliver(world, { bot: await newBot() })).status, 200)
  assert.equal((await request(world.nodes.a.url, { path: '/api/v1/external/helloworld' })).status, 405)
})
