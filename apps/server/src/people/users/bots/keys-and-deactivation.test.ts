import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role, type UserId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const isActive = async ({ user_id }: Person) => (await owner.users.get({ user_id })).user.is_active

test('GET /bots lists the active bots of the caller, oldest first', async () => {
  const rosa = await world.person('rosa')
  assert.deepEqual(await rosa.bots.list(), { bots: [] })
  const older = await makeBot(world, rosa, 'older')
  const newer = await makeBot(world, rosa, 'newer', { bot_type: 2, default_all_public_streams: true })
  const gone = await makeBot(world, rosa, 'gone')
  await makeBot(world, owner, 'foreign')
  await rosa.bots.deactivate({ bot_id: gone.user_id })

  const { bots } = await rosa.on('b').bots.list()

  const shown = (bot: Person, full_name: string, isWide: boolean) => ({
    username: bot.email,
    full_name,
    api_key: bot.api_key,
    avatar_url: bots.find(({ username }) => username === bot.email)?.avatar_url,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: isWide,
  })
  assert.deepEqual(bots, [shown(older, 'older Bot', false), shown(newer, 'newer Bot', true)])
})

test('a regenerated bot key works at once, and the old key is refused', async () => {
  const robin = await makeBot(world, iris, 'robin')
  const bot_id = robin.user_id
  await robin.users.me()

  const { api_key } = await iris.bots.regenerateApiKey({ bot_id })

  assert.match(api_key, /^[A-Za-z0-9]{32}$/)
  await world.settled()
  await assert.rejects(robin.on('b').users.me(), { errorName: 'INVALID_API_KEY' })
  assert.equal((await iris.bots.list()).bots[0]?.api_key, api_key)
  await owner.bots.regenerateApiKey({ bot_id })
  await assert.rejects(otto.bots.regenerateApiKey({ bot_id }), refusal('Insufficient permission'))
  for (const id of [iris.user_id, 999_999] as UserId[])
    await assert.rejects(owner.bots.regenerateApiKey({ bot_id: id }), refusal('No such bot'))
})

test('a deactivated bot is refused, and has the same key after it is reactivated', async () => {
  const robin = await makeBot(world, iris, 'lark')
  const bot_id = robin.user_id
  await assert.rejects(otto.bots.deactivate({ bot_id }), refusal('Insufficient permission'))

  assert.deepEqual(await iris.bots.deactivate({ bot_id }), {})
  assert.deepEqual(await owner.bots.deactivate({ bot_id }), {}, 'again')

  await world.settled()
  await assert.rejects(robin.on('b').users.me(), { errorName: 'ACCOUNT_DEACTIVATED' })
  await iris.users.reactivate({ user_id: bot_id })
  await world.settled()
  assert.equal((await robin.on('b').users.me()).is_active, true)
  for (const id of [iris.user_id, 999_999] as UserId[])
    await assert.rejects(owner.bots.deactivate({ bot_id: id }), refusal('No such bot'))
  await assert.rejects(owner.users.deactivate({ user_id: bot_id }), refusal('No such user'))
})

test('an owner who became a guest can only deactivate their bots', async () => {
  const vera = await world.person('vera')
  const { user_id: bot_id } = await makeBot(world, vera, 'wren')
  await owner.users.update({ user_id: vera.user_id, role: Role.guest })

  await assert.rejects(vera.bots.update({ bot_id }), refusal('Not allowed for guest users'))
  await assert.rejects(vera.bots.regenerateApiKey({ bot_id }), refusal('Not allowed for guest users'))
  assert.deepEqual(await vera.bots.deactivate({ bot_id }), {})
})

test('a bot with administrator rights can deactivate other bots', async () => {
  const steward = await makeBot(world, owner, 'steward')
  await owner.users.update({ user_id: steward.user_id, role: Role.administrator })
  const rook = await makeBot(world, iris, 'rook')

  await assert.rejects(
    steward.bots.update({ bot_id: rook.user_id }),
    refusal('This endpoint does not accept bot requests.'),
  )
  await steward.bots.deactivate({ bot_id: rook.user_id })
  assert.equal(await isActive(rook), false)
})

test('bots are deactivated with their owner and stay deactivated when the owner is reactivated', async () => {
  const fern = await world.person('fern')
  const bots = [await makeBot(world, fern, 'crow'), await makeBot(world, fern, 'jay', { bot_type: 2 })]
  await owner.users.deactivate({ user_id: fern.user_id })
  await owner.users.reactivate({ user_id: fern.user_id })

  assert.deepEqual(await Promise.all(bots.map(isActive)), [false, false])
  assert.deepEqual(await fern.bots.list(), { bots: [] })
})

test('a bot that is created while its owner is being deactivated is deactivated too', async () => {
  const hasty = await world.person('hasty')
  await Promise.allSettled([
    makeBot(world, hasty, 'swift'),
    owner.on('b').users.deactivate({ user_id: hasty.user_id }),
  ])

  const active = await world.database.query(
    'select from user_account where bot_owner_id = $1 and is_active',
    [hasty.user_id],
  )
  assert.equal(active.length, 0)
})
