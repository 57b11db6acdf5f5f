import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')

const isActive = async ({ user_id }: Person) => (await owner.users.get({ user_id })).user.is_active

const remove = (caller: Person, id: number | 'me') =>
  request(world.nodes.a.url, { method: 'DELETE', path: `/api/v1/users/${id}`, credentials: caller })

const refusal = (msg: string, code = 'BAD_REQUEST') => ({ result: 'error', code, msg })

test('a deactivated user is refused at once on both nodes', async () => {
  const iris = await world.person('iris')
  const turnedAway = {
    status: 401,
    body: { result: 'error', code: 'USER_DEACTIVATED', msg: 'Account is deactivated' },
  }

  const response = await remove(ada, iris.user_id)

  assert.deepEqual([response.status, response.body], [200, { result: 'success', msg: '' }])
  for (const node of ['a', 'b'] as const) await assert.rejects(iris.on(node).users.me(), turnedAway)
  assert.equal(await isActive(iris), false)
  await assert.rejects(
    world.anonymous('b').authentication.fetchApiKey({ username: iris.email, password: iris.password }),
    { status: 403, message: 'Your account has been disabled.' },
  )
})

test('deactivating a person deactivates their own bots only', async () => {
  const [iris, otto] = await world.people('iris2', 'otto2')
  const irisBots = [await world.bot('mower', iris), await world.bot('weeder', iris, 2)]
  const other = await world.bot('digger', otto)

  await remove(owner, iris.user_id)

  for (const bot of [iris, ...irisBots]) assert.equal(await isActive(bot), false)
  for (const person of [otto, other]) assert.equal(await isActive(person), true)
  await assert.rejects(irisBots[0]?.on('b').users.me() ?? Promise.resolve(), {
    message: 'Account is deactivated',
  })
  await other.users.me()
})

test('deactivation is refused for bots, unknown users and without permission', async () => {
  const [mia, gone] = await world.people('mia', 'gone')
  const gus = await world.person('gus', 'guest')
  const second = await world.person('second', 'owner')
  const bot = await world.bot('raker', mia)
  const tea = await world.addOrganization('tea')
  await owner.users.deactivate({ user_id: gone.user_id })
  const mustBeOwner = refusal('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')
  const cases: [caller: Person, target: number, body: object][] = [
    [ada, 0, refusal('No such user')],
    [ada, 2 ** 40, refusal('No such user')],
    [ada, tea.owner.user_id, refusal('No such user')],
    [ada, bot.user_id, refusal('No such user')],
    [mia, bot.user_id, refusal('No such user')],
    [mia, 0, refusal('No such user')],
    [ada, gone.user_id, refusal('User is deactivated')],
    [mia, gone.user_id, refusal('User is deactivated')],
    [mia, gus.user_id, refusal('Insufficient permission')],
    [mia, mia.user_id, refusal('Insufficient permission')],
    [gus, owner.user_id, refusal('Insufficient permission')],
    [bot, mia.user_id, refusal('Insufficient permission')],
    [ada, second.user_id, mustBeOwner],
    [ada, owner.user_id, mustBeOwner],
  ]
  for (const [caller, target, body] of cases) {
    const response = await remove(caller, target)
    assert.deepEqual([response.status, response.body], [400, body])
  }
  for (const person of [bot, mia, gus, second]) assert.equal(await isActive(person), true)

  assert.equal((await remove(owner, second.user_id)).status, 200)
})

test('the last owner cannot be deactivated by anyone', async () => {
  const crowned = await world.bot('crown', owner)
  await owner.users.update({ user_id: crowned.user_id, role: 100 })

  const byId = await remove(owner, owner.user_id)
  const byBot = await remove(crowned, owner.user_id)
  const byAdministrator = await remove(ada, owner.user_id)
  const byMe = await remove(owner, 'me')

  for (const { status, body } of [byId, byBot])
    assert.deepEqual([status, body], [400, refusal('Cannot deactivate the only organization owner')])
  assert.equal(byAdministrator.body.msg, 'Must be an organization owner')
  assert.deepEqual(
    [byMe.status, byMe.body],
    [
      400,
      {
        ...refusal('Cannot deactivate the only organization owner.', 'CANNOT_DEACTIVATE_LAST_USER'),
        is_last_owner: true,
        entity: 'organization owner',
      },
    ],
  )
  assert.equal(await isActive(owner), true)
})

test('people of any role and bots can deactivate themselves', async () => {
  const leaving = [
    await world.person('leaving-owner', 'owner'),
    await world.person('leaving-administrator', 'administrator'),
    await world.person('leaving-member'),
    await world.person('leaving-guest', 'guest'),
    await world.bot('leaving', ada),
  ]
  for (const person of leaving) {
    await person.on('b').users.deactivateMe()
    await assert.rejects(person.on('a').users.me(), { message: 'Account is deactivated' })
    assert.equal(await isActive(person), false)
  }
  const administrator = await world.person('own-id', 'administrator')
  await administrator.users.deactivate({ user_id: administrator.user_id })
  assert.equal(await isActive(administrator), false)
})

test("deactivating oneself also deactivates one's bots", async () => {
  const iris = await world.person('iris3')
  const bot = await world.bot('spade', iris)

  await iris.users.deactivateMe()

  await assert.rejects(bot.on('b').users.me(), { status: 401, message: 'Account is deactivated' })
})

test('two owners who deactivate themselves concurrently leave one owner', async () => {
  for (let round = 0; round < 10; round++) {
    const partner = await world.person(`partner${round}`, 'owner')
    const requests = [owner.on('a').users.deactivateMe(), partner.on('b').users.deactivateMe()]

    const outcomes = await Promise.allSettled(requests)

    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected'])
    await world.database.query('update user_account set is_active = (id = $1) where role = 100', [
      owner.user_id,
    ])
  }
})

test('the only active account cannot deactivate itself', async () => {
  await using small = await startWorld()
  const iris = await small.person('iris')
  await small.database.query('update user_account set is_active = false where id = $1', [small.owner.user_id])

  await assert.rejects(iris.users.deactivateMe(), {
    status: 400,
    body: {
      result: 'error',
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      msg: 'Cannot deactivate the only user.',
      is_last_owner: false,
      entity: 'user',
    },
  })
  const bot = await small.bot('mower', iris)
  // The bot gets another owner; otherwise it would be deactivated with its owner.
  const giveAway = 'update user_account set bot_owner_id = $2 where id = $1'
  await small.database.query(giveAway, [bot.user_id, small.owner.user_id])
  await iris.users.deactivateMe()

  await assert.rejects(bot.users.deactivateMe(), { message: 'Cannot deactivate the only user.' })
})
