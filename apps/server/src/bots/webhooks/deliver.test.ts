import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { basic, type Person, request, startWorld, type World } from '@oxbow/testkit'
import { readMessages, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'
import { article, deliver, greeting, success } from '@oxbow/testkit/calls/webhooks'

let world: World
let iris: Person
let bot: Person

before(async () => {
  world = await startWorld()
  iris = await world.person('iris')
  bot = await world.bot('hook', iris, BotType.incomingWebhook)
  await world.stream('garden', { members: [iris] })
})
after(() => world[Symbol.asyncDispose]())

const inGarden = (topic: string) =>
  readMessages(iris, { stream: 'garden' }).then((all) => all.filter((message) => message.topic === topic))
const received = async (delivery: Parameters<typeof deliver>[1]) => {
  const { status, body } = await deliver(world, delivery)
  return { status, body }
}

test('a delivery is sent as a message of the bot to the stream', async () => {
  const response = await received({ bot, query: { stream: 'Garden' } })
  const [message] = await inGarden('Hello World')

  assert.deepEqual(response, { status: 200, body: success })
  assert.deepEqual(
    [message?.content, message?.sender_id, message?.client],
    [greeting, bot.user_id, 'ChatHelloWorldWebhook'],
  )
})

test("a delivery without a stream is sent to the bot's owner without topic", async () => {
  const otto = await world.person('otto')
  assert.deepEqual(await received({ bot, query: { topic: 'roses' } }), { status: 200, body: success })
  const [message] = await readMessages(iris, { is: 'private' })

  assert.deepEqual([message?.content, message?.sender_id], [greeting, bot.user_id])
  assert.deepEqual(await readMessages(otto, { is: 'private' }), [])
})

test('a topic in the URL is used, truncated to the maximum length', async () => {
  const topic = '🌹'.repeat(61)
  await received({ bot, query: { stream: 'garden', topic: 'roses' } })
  assert.deepEqual(await received({ bot, query: { stream: 'garden', topic } }), {
    status: 200,
    body: success,
  })

  assert.equal((await inGarden('roses')).length, 1)
  assert.equal((await inGarden(`${'🌹'.repeat(57)}...`)).length, 1)
})

test('a numeric `stream` parameter that matches no stream name is treated as a stream id', async () => {
  const { stream_id } = await world.stream('numbered', { members: [iris] })
  const count = async (name: string) => (await readMessages(iris, { stream: name })).length
  await received({ bot, query: { stream: String(stream_id) } })
  await received({ bot, query: { stream: String(stream_id) } })
  assert.equal(await count('numbered'), 2)

  await world.stream('2026', { members: [iris] })
  await received({ bot, query: { stream: '2026' } })
  assert.equal(await count('2026'), 1)
})

const good = JSON.stringify(article)
const bodies: [what: string, params: Parameters<typeof deliver>[1]][] = [
  [
    'JSON that says it is a form',
    { body: good, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['JSON that says nothing', { body: good }],
  ['JSON that says it is plain text', { body: good, headers: { 'content-type': 'text/plain' } }],
  ['a comma after the last member', { body: good.replace('}', ' ,\n}') }],
  ['a mark of the byte order', { body: `\ufeff${good}` }],
  ['a slash at the end of the path', { integration: 'helloworld/' }],
]
for (const [what, delivery] of bodies) {
  test(`a delivery is accepted with ${what}`, async () => {
    const topic = what.slice(0, 50)
    assert.deepEqual(await received({ ...delivery, bot, query: { stream: 'garden', topic } }), {
      status: 200,
      body: success,
    })
    assert.equal((await inGarden(topic))[0]?.content, greeting)
  })
}

test('an API key in the form takes precedence over the URL', async () => {
  const wrong = 'z'.repeat(32)
  const form = { ...article, api_key: bot.api_key, stream: 'garden' }
  // This error shows that the request was authenticated: the integration helloworld expects JSON.
  const malformed = refusal('Malformed JSON', { code: 'INVALID_JSON' })
  assert.deepEqual(await received({ form }), malformed)
  assert.deepEqual(await received({ form, query: { api_key: wrong } }), malformed)
  assert.deepEqual(await received({ multipart: form }), malformed)
  const invalid = refusal('Invalid API key', { status: 401, code: 'INVALID_API_KEY' })
  assert.deepEqual(await received({ bot, form: { ...form, api_key: wrong } }), invalid)
})

test('requests without the key of an incoming webhook bot are refused with specific errors', async () => {
  const missing = refusal("Missing 'api_key' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'api_key',
  })
  const unauthorized = (msg: string) => refusal(msg, { status: 401, code: 'INVALID_API_KEY' })
  const onlyHooks = refusal('This API is only available to incoming webhook bots.')
  const gone = await world.bot('gone', iris, BotType.incomingWebhook)
  await world.database.query('update user_account set is_active = false where id = $1', [gone.user_id])
  const hill = await world.addOrganization('hill')

  assert.deepEqual(await received({}), missing)
  assert.deepEqual(await received({ query: { api_key: 'short' } }), unauthorized('Malformed API key'))
  assert.deepEqual(await received({ query: { api_key: 'z'.repeat(32) } }), unauthorized('Invalid API key'))
  assert.deepEqual(await received({ query: { api_key: ` ${bot.api_key} ` } }), { status: 200, body: success })
  for (const person of [iris, world.owner, await world.bot('generic', iris)])
    assert.deepEqual(await received({ bot: person }), onlyHooks)
  assert.deepEqual(await received({ bot: gone }), refusal('Account is deactivated'))
  assert.deepEqual(
    await received({ bot: hill.owner }),
    refusal('Account is not associated with this subdomain'),
  )
  await world.database.query("update organization set deactivated_at = now() where subdomain = 'hill'")
  assert.deepEqual(await received({ bot: hill.owner }), refusal('This organization has been deactivated'))
})

test('the response to an invalid key in the URL has no WWW-Authenticate header', async () => {
  const { status, headers } = await deliver(world, { query: { api_key: 'z'.repeat(32) } })
  assert.deepEqual([status, headers.get('www-authenticate')], [401, null])
})

test('HTTP Basic is refused by integrations that expect the key in the URL', async () => {
  const response = await received({ headers: { authorization: basic(bot) } })
  assert.equal(response.body.code, 'REQUEST_VARIABLE_MISSING')
})

test('unknown integrations get a 404, and known ones accept only POST', async () => {
  const unknown = refusal("There is no integration called 'nonesuch'", { status: 404, code: 'NOT_FOUND' })
  const notAllowed = refusal('Method Not Allowed', {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    allowed_methods: ['POST'],
  })
  assert.deepEqual(await received({ bot, integration: 'nonesuch' }), unknown)
  assert.equal((await received({ bot, integration: 'hello' })).status, 404)
  assert.equal((await received({ bot, integration: '..' })).status, 404)
  assert.equal((await received({ bot, integration: 'helloworld/more' })).status, 404)
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
    assert.deepEqual(await received({ bot, method }), notAllowed, method)
  assert.equal((await received({ bot, method: 'HEAD' })).status, 405)
})

test('a payload of another service is refused, and the error names the missing field', async () => {
  const odd = (lacks: string) =>
    refusal('Unable to parse request: Did Hello World generate this event?', {
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      webhook_name: 'Hello World',
      lacks,
    })
  const notJson = refusal('Malformed JSON', { code: 'INVALID_JSON' })
  const { featured_title, featured_url } = article
  assert.deepEqual(await received({ bot, json: { featured_url } }), odd('featured_title'))
  assert.deepEqual(await received({ bot, json: { featured_title } }), odd('featured_url'))
  assert.deepEqual(await received({ bot, json: { ...article, featured_title: [1] } }), odd('featured_title'))
  for (const json of [[article], 'text', 7, null])
    assert.deepEqual(await received({ bot, json }), odd('a JSON object'))
  for (const body of ['featured_title=x', '{"featured_title":', '', '{,'])
    assert.deepEqual(await received({ bot, body }), notJson, body)
})

test('an unknown event is refused, and the error names the integration', async () => {
  const headers = { 'x-gitea-event': 'unknown_thing' }
  const json = { repository: { name: 'beds' }, sender: { login: 'iris' } }
  assert.deepEqual(
    await received({ bot, integration: 'gitea', headers, json }),
    refusal("The 'unknown_thing' event isn't currently supported by the Gogs webhook", {
      code: 'UNEXPECTED_WEBHOOK_EVENT_TYPE',
      webhook_name: 'Gogs',
      event_type: 'unknown_thing',
    }),
  )
})

test('a delivery to an unavailable destination is refused with the reason', async () => {
  const name = 'x'.repeat(61)
  const refusals: [query: Record<string, string>, answer: ReturnType<typeof refusal>][] = [
    [
      { stream: 'nowhere' },
      refusal("Stream 'nowhere' does not exist", { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' }),
    ],
    [
      { stream: '987654' },
      refusal("Stream with ID '987654' does not exist", { code: 'STREAM_DOES_NOT_EXIST', stream_id: 987654 }),
    ],
    [{ stream: '' }, refusal("Invalid stream name ''")],
    [{ stream: name }, refusal('Stream name too long (limit: 60 characters).')],
    [{ stream: 'garden', topic: ' ' }, refusal("Topic can't be empty")],
  ]
  for (const [query, expected] of refusals) assert.deepEqual(await received({ bot, query }), expected)
})

test('only bots of subscribers can post to a private stream', async () => {
  await world.stream('vault', { by: iris, invite_only: true })
  const other = await world.bot('other', await world.person('fern'), BotType.incomingWebhook)
  const query = { stream: 'vault' }

  assert.equal((await received({ bot, query })).status, 200)
  assert.deepEqual(
    await received({ bot: other, query }),
    refusal("Stream 'vault' does not exist", { code: 'STREAM_DOES_NOT_EXIST', stream: 'vault' }),
  )
})

test('bots of administrators can post to administrator-only streams', async () => {
  await world.stream('news', { members: [iris], stream_post_policy: 2 })
  const botOfOwner = await world.bot('official', world.owner, BotType.incomingWebhook)
  const query = { stream: 'news' }

  assert.equal((await received({ bot: botOfOwner, query })).status, 200)
  assert.deepEqual(
    await received({ bot, query }),
    refusal('Only organization administrators can send to this stream.'),
  )
})

test('overlong content is truncated with a marker', async () => {
  const json = { topic: 'long', content: 'rose '.repeat(3_000) }
  assert.equal(
    (await received({ bot, integration: 'zapier', json, query: { stream: 'garden' } })).status,
    200,
  )
  const [{ content } = { content: '' }] = await inGarden('long')

  assert.ok(Buffer.byteLength(content) <= 10_000 && Buffer.byteLength(content) > 9_900)
  assert.match(content, /\n\[message truncated\]$/)
})

test('characters that cannot be stored are removed or replaced', async () => {
  const query = { stream: 'garden', topic: 'odd\0 \ud83c' }
  const withNul = { ...article, featured_title: 'a\0b' }
  assert.equal(
    (await received({ bot, json: withNul, query: { stream: 'garden', topic: 'NUL' } })).status,
    200,
  )
  assert.match((await inGarden('NUL'))[0]?.content ?? '', /\[ab\]/)
  const body = good.replace('Marilyn', '\\ud83c')
  assert.equal((await received({ bot, body, query })).status, 200)
  assert.match((await inGarden('odd \ufffd'))[0]?.content ?? '', /\ufffd Monroe/)
  assert.equal((await received({ bot, query: { stream: 'gar\0den' } })).status, 400)
})

test('bodies larger than 5 MiB are refused', async () => {
  const large = (bytes: number) => ({ ...article, more: 'x'.repeat(bytes) })
  const query = { stream: 'garden', topic: 'large' }
  assert.equal((await received({ bot, query, json: large(4 * 1_048_576) })).status, 200)
  const response = await received({ bot, query, json: large(5 * 1_048_576) })
  assert.deepEqual(
    response,
    refusal('The request is larger than 5242880 bytes', { status: 413, code: 'REQUEST_TOO_LARGE' }),
  )
  // The limit for unauthenticated requests is much lower.
  const form = { api_key: bot.api_key, more: 'x'.repeat(40_000) }
  assert.equal((await received({ form })).status, 413)
})

test('an incoming webhook bot can send messages but cannot call any other endpoint', async () => {
  const closed = refusal('This API is not available to incoming webhook bots.', {
    status: 401,
    code: 'UNAUTHORIZED',
  })
  const path = '/api/v1/users/me'
  const { status, body } = await request(world.nodes.a.url, { path, credentials: bot })
  assert.deepEqual({ status, body }, closed)
  await sendToStream(bot, 'garden', 'direct')
  assert.equal((await inGarden('direct')).length, 1)
})

test('the log contains no secrets and no errors', () => {
  assert.ok(!world.log.text.includes(bot.api_key))
  assert.deepEqual(world.log.entries(50), [])
})
