import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ArgumentsOf, api, BotType } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import { pngOf, request, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
await world.stream('garden', { by: iris })
await world.stream('vault', { by: otto, invite_only: true })

let count = 0
type CreateParams = ArgumentsOf<typeof api.bots.create>
const fresh = (more: Partial<CreateParams> = {}): CreateParams => {
  count++
  return { full_name: `Robin ${count}`, short_name: `robin${count}`, ...more }
}
const setRule = (rule: string) => world.database.query(`update organization set ${rule}`)
const administratorRequired = { errorName: 'MUST_BE_ADMINISTRATOR' }

test('POST /bots creates a bot with an address, a working key and an owner', async () => {
  const made = await iris.bots.create(fresh({ full_name: ' Robin Redbreast ', short_name: 'robin' }))

  assert.deepEqual(Object.keys(made).sort(), [
    'api_key',
    'avatar_url',
    'default_all_public_streams',
    'default_events_register_stream',
    'default_sending_stream',
    'user_id',
  ])
  const robin = createClient({
    url: world.nodes.b.url,
    credentials: { email: 'robin-bot@localhost', api_key: made.api_key },
  })
  const me = await robin.users.me()
  assert.deepEqual(
    [me.user_id, me.full_name, me.email, me.is_bot, me.is_admin, me.avatar_url],
    [made.user_id, 'Robin Redbreast', 'robin-bot@localhost', true, false, made.avatar_url],
  )
  const { user } = await otto.users.get({ user_id: made.user_id })
  assert.deepEqual([user.bot_type, user.bot_owner_id, user.is_active], [1, iris.user_id, true])
})

test('a new bot is not subscribed to any stream', async () => {
  const { stream_id } = await world.stream('welcome')
  await owner.defaultStreams.add({ stream_id })
  const { api_key } = await iris.bots.create(fresh())
  await owner.defaultStreams.remove({ stream_id })

  const credentials = { email: `robin${count}-bot@localhost`, api_key }
  const { subscriptions } = await createClient({ url: world.nodes.a.url, credentials }).subscriptions.list()
  assert.deepEqual(subscriptions, [])
})

test('a new bot has the settings that it was created with', async () => {
  const made = await iris.bots.create(
    fresh({
      default_sending_stream: ' Garden ',
      default_events_register_stream: 'garden',
      default_all_public_streams: true,
    }),
  )

  assert.deepEqual(
    [made.default_sending_stream, made.default_events_register_stream, made.default_all_public_streams],
    ['garden', 'garden', true],
  )
})

test('POST /bots uses an uploaded picture as avatar', async () => {
  const { avatar_url, user_id } = await iris.bots.create(
    fresh({ files: [{ name: 'robin.png', bytes: pngOf(9, 9) }] }),
  )

  assert.match(avatar_url, new RegExp(`^/user_avatars/\\d+/${user_id}-[0-9a-f]{40}\\.png\\?v=1$`))
  const picture = await request(world.nodes.b.url, { path: avatar_url })
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
})

/** Returns the services as the bot's owner sees them, because nobody else sees the token. */
const servicesOf = async (user_id: number) => {
  const { realm_bots = [] } = await iris.events.register({ fetch_event_types: ['realm_bot'] })
  return realm_bots.find((bot) => bot.user_id === user_id)?.services
}

test('only outgoing webhook bots get a service', async () => {
  const kinds: [BotType, Partial<CreateParams>, object[]][] = [
    [1, { payload_url: 'https://example.com/unused', config_data: { unused: 'x' } }, []],
    [2, { service_name: 'github', config_data: { webhook_secret: 'hush' } }, []],
    [
      3,
      { payload_url: 'https://example.com/hook', interface_type: 2 },
      [{ base_url: 'https://example.com/hook', interface: 2, token: 'TOKEN' }],
    ],
  ]
  for (const [bot_type, more, expected] of kinds) {
    const { user_id } = await iris.bots.create(fresh({ bot_type, ...more }))
    const shown = JSON.stringify(await servicesOf(user_id))
    const services = JSON.parse(shown.replace(/(?<="token":")\w{32}(?=")/, 'TOKEN'))
    assert.deepEqual(services, expected, `type ${bot_type}`)
  }
})

test('POST /bots accepts a quoted URL, and numbers and flags as text, as older programs send them', async () => {
  const { status } = await call(world, iris, 'POST /bots', {
    full_name: 'Swallow',
    short_name: 'swallow',
    bot_type: '3',
    payload_url: '"https://example.com/hook"',
    interface_type: '1',
    config_data: '{}',
    default_all_public_streams: 'false',
  })
  assert.equal(status, 200)
})

const refusals: [what: string, makeParams: () => Record<string, string>, msg: string, code?: string][] = [
  ['no name', () => ({ short_name: 'x' }), "Missing 'full_name' argument", 'REQUEST_VARIABLE_MISSING'],
  [
    'no short name',
    () => ({ full_name: 'X Y' }),
    "Missing 'short_name' argument",
    'REQUEST_VARIABLE_MISSING',
  ],
  ['a blank short name', () => ({ full_name: 'x', short_name: ' ' }), 'Bad name or username'],
  ['a short full name', () => ({ full_name: 'x', short_name: 'x y' }), 'Name too short!'],
  ['a long full name', () => ({ full_name: 'x'.repeat(101), short_name: 'x' }), 'Name too long!'],
  ['odd characters', () => ({ full_name: 'a*b', short_name: 'x' }), 'Invalid characters in name!'],
  ['a name like a mention', () => ({ full_name: 'Iris|7', short_name: 'x' }), 'Invalid format!'],
  [
    'an embedded bot',
    () => ({ full_name: 'X Y', short_name: 'x y', bot_type: '4' }),
    'Embedded bots are not enabled.',
  ],
  [
    'a short name that is not valid in an e-mail address',
    () => ({ full_name: 'X Y', short_name: 'x y' }),
    'Bad name or username',
  ],
  [
    'an address that is taken',
    () => ({ full_name: 'Iris Gardener', short_name: 'TAKEN' }),
    'Username already in use',
  ],
  ["someone's name", () => ({ full_name: 'iris gardener', short_name: 'x' }), 'Name is already in use!'],
  ['an unknown type', () => ({ full_name: 'X Y', short_name: 'x', bot_type: '5' }), 'Invalid bot type'],
  [
    'a type that is not a number',
    () => ({ full_name: 'X Y', short_name: 'x', bot_type: '"2"' }),
    'bot_type is not an integer',
  ],
  [
    'an unknown interface type',
    () => ({ full_name: 'X Y', short_name: 'x', interface_type: '3' }),
    'Invalid interface type',
  ],
  [
    'an invalid URL',
    () => ({ full_name: 'X Y', short_name: 'x', bot_type: '3', payload_url: '"example"' }),
    'payload_url is not a URL',
  ],
  [
    'an unknown stream',
    () => ({ full_name: 'X Y', short_name: 'x', default_sending_stream: 'nowhere' }),
    "Invalid stream name 'nowhere'",
  ],
  [
    'a stream that the caller cannot access',
    () => ({ full_name: 'X Y', short_name: 'x', default_events_register_stream: 'vault' }),
    "Invalid stream name 'vault'",
  ],
  [
    'a configuration that is not an object',
    () => ({ full_name: 'X Y', short_name: 'x', config_data: '[]' }),
    'config_data is not a dict',
  ],
  [
    'a configuration of numbers',
    () => ({ full_name: 'X Y', short_name: 'x', config_data: '{"a":1}' }),
    'config_data contains a value that is not a string',
  ],
  [
    'an unknown integration',
    () => ({ full_name: 'X Y', short_name: 'x', bot_type: '2', service_name: 'Git Hub' }),
    "Invalid integration 'Git Hub'.",
  ],
  [
    'a long name of a service',
    () => ({ full_name: 'X Y', short_name: 'x', bot_type: '3', service_name: 'x'.repeat(101) }),
    'service_name is too long (limit: 100 characters)',
  ],
  [
    'a long configuration',
    () => ({
      full_name: 'X Y',
      short_name: 'x',
      bot_type: '2',
      config_data: JSON.stringify({ ab: '🌹'.repeat(9_999) }),
    }),
    'config_data is too long (limit: 10000 characters)',
  ],
]
for (const [what, makeParams, msg, code = 'BAD_REQUEST'] of refusals) {
  test(`POST /bots is refused: ${what}`, async () => {
    const takenParams = fresh({ short_name: 'taken' })
    if (what.includes('taken')) await otto.bots.create(takenParams)
    const { status, body } = await call(world, iris, 'POST /bots', makeParams())
    assert.deepEqual([status, body.code, body.msg], [400, code, msg])
  })
}

test('POST /bots reports the first of several errors in the order of the protocol', async () => {
  await setRule('bot_creation_policy = 3')
  const bad = { bot_type: '9', interface_type: '9', default_sending_stream: 'nowhere' }
  const received = async (params: Record<string, string>) =>
    (await call(world, iris, 'POST /bots', { short_name: 'order', full_name: 'Order', ...params })).body.msg

  assert.equal(await received({ ...bad, full_name: 'Otto Gardener' }), 'Name is already in use!')
  assert.equal(await received(bad), 'Must be an organization administrator')
  await setRule('bot_creation_policy = 1')
  assert.equal(await received(bad), 'Invalid bot type')
  assert.equal(await received({ ...bad, bot_type: '1' }), 'Invalid interface type')
  assert.equal(await received({ default_sending_stream: 'nowhere' }), "Invalid stream name 'nowhere'")
})

test('POST /bots accepts one file, which must be a picture', async () => {
  const picture = { name: 'a.png', bytes: pngOf(3, 3) }
  await assert.rejects(iris.bots.create(fresh({ files: [picture, { ...picture, name: 'b.png' }] })), {
    body: refusal('You may only upload one file at a time').body,
  })
  const noPicture = { name: 'a.png', bytes: Buffer.from('no picture') }
  await assert.rejects(iris.bots.create(fresh({ files: [noPicture] })), { errorName: 'BAD_IMAGE' })
})

test('bot_creation_policy decides who may create which bots', async () => {
  const may = async (policy: number, bot_type: BotType) => {
    await setRule(`bot_creation_policy = ${policy}`)
    await owner.bots.create(fresh({ bot_type }))
    return iris.bots.create(fresh({ bot_type }))
  }
  await may(1, 1)
  await assert.rejects(may(2, 1), administratorRequired)
  await may(2, 2)
  await may(2, 3)
  for (const type of [1, 2, 3] as const) await assert.rejects(may(3, type), administratorRequired)
  await setRule('bot_creation_policy = 1')
})

test('of two concurrently created bots with the same name or address, one is refused', async () => {
  const named = await Promise.allSettled([
    iris.on('a').bots.create(fresh({ full_name: 'Wren' })),
    otto.on('b').bots.create(fresh({ full_name: 'wren' })),
  ])
  const addressed = await Promise.allSettled([
    iris.on('a').bots.create(fresh({ short_name: 'wren' })),
    otto.on('b').bots.create(fresh({ short_name: 'Wren' })),
  ])

  for (const [results, errorName] of [
    [named, 'NAME_IN_USE'],
    [addressed, 'USERNAME_IN_USE'],
  ] as const) {
    const refused = results.filter((result) => result.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => reason.errorName),
      [errorName],
    )
  }
})

test('POST /bots is refused without a valid domain for addresses', async () => {
  await using other = await startWorld({ config: { hidden_email_domain: 'intranet' } })
  const { url } = other.nodes.a
  const { email, api_key } = other.owner
  const { body } = await request(url.replace('localhost', '127.0.0.1'), {
    method: 'POST',
    path: '/api/v1/bots',
    credentials: { email, api_key },
    form: { full_name: 'Robin', short_name: 'robin' },
  })
  assert.deepEqual(
    body,
    refusal(
      "Can't create bots until OXBOW_HIDDEN_EMAIL_DOMAIN is correctly configured.\nPlease contact your server administrator.",
    ).body,
  )
})
