import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { pngOf, request, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { makeEmbeddedBot } from './test/make-embedded-bot.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gone = await world.person('gone')
await owner.users.deactivate({ user_id: gone.user_id })
await world.stream('garden', { by: iris })
await world.stream('pond', { by: iris })
await world.stream('vault', { by: otto, invite_only: true })
const robin = await makeBot(world, iris, 'robin')
const bot_id = robin.user_id
const hook = await makeBot(world, iris, 'hook', { bot_type: 2 })
const caller = await makeBot(world, iris, 'caller', { bot_type: 3, payload_url: 'https://example.com/a' })
const helper = await makeEmbeddedBot(world, iris, 'helper', { mood: 'calm' })

const shown = async (user_id: UserId) => {
  const { realm_bots = [] } = await owner.events.register({ fetch_event_types: ['realm_bot'] })
  const found = realm_bots.find((bot) => bot.user_id === user_id)
  assert.ok(found)
  return found
}

test('PATCH /bots without parameters changes nothing and returns the bot', async () => {
  const before = await shown(bot_id)
  assert.deepEqual(await iris.bots.update({ bot_id }), {
    full_name: 'robin Bot',
    avatar_url: before.avatar_url,
    service_interface: 1,
    service_payload_url: null,
    config_data: null,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    bot_owner: iris.email,
  })
  assert.deepEqual(await shown(bot_id), before)
})

test('only the owner and administrators can change a bot', async () => {
  const ada = await world.person('ada', 'administrator')
  const renamed = await ada.bots.update({ bot_id, full_name: ' Robin ' })
  assert.equal(renamed.full_name, 'Robin')
  assert.equal((await otto.users.get({ user_id: bot_id })).user.full_name, 'Robin')

  await assert.rejects(otto.bots.update({ bot_id, full_name: 'X Y' }), refusal('Insufficient permission'))
  for (const id of [iris.user_id, 0, 999_999] as UserId[])
    await assert.rejects(owner.bots.update({ bot_id: id }), refusal('No such bot'))
})

test('PATCH /bots checks the name and refuses one that is taken', async () => {
  const rename = (full_name: string) => iris.bots.update({ bot_id, full_name })

  await assert.rejects(rename('x'), refusal('Name too short!'))
  await assert.rejects(rename(''), refusal('Name too short!'))
  await assert.rejects(rename('x'.repeat(101)), refusal('Name too long!'))
  await assert.rejects(rename('a>b'), refusal('Invalid characters in name!'))
  await assert.rejects(rename('Iris|7'), refusal('Invalid format!'))
  await assert.rejects(rename('IRIS gardener'), refusal('Name is already in use!'))
  assert.equal((await rename('Robin')).full_name, 'Robin')
})

test('PATCH /bots gives a bot to another owner', async () => {
  const moved = await makeBot(world, iris, 'moved')
  const give = (bot_owner_id: number, by = owner) =>
    by.bots.update({ bot_id: moved.user_id, bot_owner_id: bot_owner_id as UserId })

  await assert.rejects(give(999_999), refusal('Failed to change owner, no such user'))
  await assert.rejects(give(gone.user_id), refusal('Failed to change owner, user is deactivated'))
  await assert.rejects(give(robin.user_id), refusal("Failed to change owner, bots can't own other bots"))
  assert.equal((await give(iris.user_id)).bot_owner, iris.email)

  assert.equal((await give(otto.user_id)).bot_owner, otto.email)

  assert.equal((await owner.users.get({ user_id: moved.user_id })).user.bot_owner_id, otto.user_id)
  await assert.rejects(give(iris.user_id, otto), refusal('Insufficient permission'))
  const { bots } = await otto.bots.list()
  assert.deepEqual(
    bots.map(({ username }) => username),
    [moved.email],
  )
})

test('PATCH /bots does not reveal a hidden address of the owner', async () => {
  await world.database.query('update organization set email_address_visibility = 3')
  const { bot_owner } = await iris.bots.update({ bot_id })
  await world.database.query('update organization set email_address_visibility = 1')

  assert.equal(bot_owner, `user${iris.user_id}@localhost`)
})

test('PATCH /bots sets default streams, and an empty name removes them', async () => {
  const set = await iris.bots.update({
    bot_id,
    default_sending_stream: 'Garden',
    default_events_register_stream: 'pond',
    default_all_public_streams: true,
  })
  assert.deepEqual(
    [set.default_sending_stream, set.default_events_register_stream, set.default_all_public_streams],
    ['garden', 'pond', true],
  )
  for (const name of ['nowhere', 'vault'])
    await assert.rejects(
      iris.bots.update({ bot_id, default_sending_stream: name }),
      refusal(`Invalid stream name '${name}'`),
    )

  const cleared = await iris.bots.update({ bot_id, default_sending_stream: '' })

  assert.deepEqual([cleared.default_sending_stream, cleared.default_events_register_stream], [null, 'pond'])
  assert.equal((await shown(bot_id)).default_events_register_stream, 'pond')
})

test('changing URL and interface of an outgoing webhook keeps its token', async () => {
  const { user_id } = caller
  const [before] = (await shown(user_id)).services as { token: string }[]
  const change = (params: Record<string, string>) => call(world, iris, `PATCH /bots/${user_id}`, params)

  const { body } = await change({ service_payload_url: '"https://example.com/b"', service_interface: '2' })
  assert.deepEqual([body.service_payload_url, body.service_interface], ['https://example.com/b', 2])
  await change({ service_payload_url: '"https://example.com/c"' })

  assert.deepEqual((await shown(user_id)).services, [
    { base_url: 'https://example.com/c', interface: 2, token: before?.token },
  ])
  const received = async (params: Record<string, string>) => (await change(params)).body.msg
  assert.equal(await received({ service_interface: '3' }), 'Invalid interface type')
  assert.equal(await received({ service_payload_url: '"no"' }), 'service_payload_url is not a URL')
  const elsewhere = iris.bots.update({ bot_id, service_payload_url: 'https://example.com/b' })
  await assert.rejects(elsewhere, refusal('Only outgoing webhooks have a payload URL'))
})

test('PATCH /bots adds entries to the configuration up to its maximum length', async () => {
  const change = (id: UserId, config_data: Record<string, string>) =>
    iris.bots.update({ bot_id: id, config_data })

  const response = await change(helper.user_id, { place: 'shed' })
  assert.deepEqual(response.config_data, { place: 'shed' })
  await change(helper.user_id, { mood: 'brisk' })

  const config_data = { mood: 'brisk', place: 'shed' }
  assert.deepEqual((await shown(helper.user_id)).services, [{ service_name: 'helper', config_data }])
  const tooLong = refusal('config_data is too long (limit: 10000 characters)')
  await change(hook.user_id, { a: 'x'.repeat(5_000) })
  await assert.rejects(change(hook.user_id, { b: 'x'.repeat(4_999) }), tooLong)
  await change(hook.user_id, { a: 'y'.repeat(9_999) })
  assert.deepEqual((await shown(hook.user_id)).services, [])
  await assert.rejects(change(bot_id, { a: 'x' }), refusal('Bots of this type have no configuration'))
  await change(bot_id, {})
})

test('PATCH /bots replaces the avatar only of bots that the caller may change', async () => {
  const files = [{ name: 'robin.png', bytes: pngOf(5, 5) }]
  const { avatar_url } = await iris.bots.update({ bot_id, files })
  const again = await owner.bots.update({ bot_id, files })

  assert.deepEqual([avatar_url.at(-1), again.avatar_url.at(-1)], ['2', '3'])
  assert.equal((await request(world.nodes.b.url, { path: again.avatar_url })).status, 200)
  await assert.rejects(otto.bots.update({ bot_id, files }), refusal('Insufficient permission'))
  await assert.rejects(
    iris.bots.update({ bot_id, files: [...files, { name: 'other.png', bytes: pngOf(5, 5) }] }),
    refusal('You may only upload one file at a time'),
  )
  const noPicture = [{ name: 'a.png', bytes: Buffer.from('no picture') }]
  await assert.rejects(iris.bots.update({ bot_id, files: noPicture }), { errorName: 'BAD_IMAGE' })
})

test('PATCH /bots changes nothing if one part is refused', async () => {
  const before = await shown(bot_id)
  const params = { bot_id, full_name: 'Other', default_all_public_streams: false }

  await assert.rejects(iris.bots.update({ ...params, default_sending_stream: 'nowhere' }))

  assert.deepEqual(await shown(bot_id), before)
})

test('concurrent PATCH /bots requests are both applied completely', async () => {
  const { user_id: id } = await makeBot(world, iris, 'busy', { default_sending_stream: 'garden' })
  const rounds = Array.from({ length: 5 }, (_, round) => [
    iris.on('a').bots.update({ bot_id: id, full_name: `Busy ${round}`, default_sending_stream: 'pond' }),
    owner.on('b').bots.update({ bot_id: id, default_sending_stream: '', full_name: `Idle ${round}` }),
    owner.on('b').bots.regenerateApiKey({ bot_id: id }),
  ]).flat()

  await Promise.all(rounds)

  const { full_name, default_sending_stream } = await shown(id)
  const { bots } = await iris.bots.list()
  const { api_key = '' } = bots.find(({ username }) => username === 'busy-bot@localhost') ?? {}
  assert.equal(default_sending_stream, full_name.startsWith('Busy') ? 'pond' : null)
  const { status } = await request(world.nodes.a.url, {
    path: '/api/v1/users/me',
    credentials: { email: 'busy-bot@localhost', api_key },
  })
  assert.equal(status, 200)
})

test("after concurrent changes of a bot's owner, all data agree on one owner", async () => {
  const { user_id: id } = await makeBot(world, iris, 'shared')
  await Promise.allSettled([
    owner.on('a').bots.update({ bot_id: id, bot_owner_id: otto.user_id }),
    owner.on('b').bots.update({ bot_id: id, bot_owner_id: owner.user_id }),
    iris.on('b').bots.update({ bot_id: id, full_name: 'Shared Still' }),
  ])
  const { bot_owner_id } = (await iris.users.get({ user_id: id })).user
  assert.equal((await shown(id)).owner_id, bot_owner_id)
})
