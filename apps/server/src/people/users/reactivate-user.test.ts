import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type BotType, botTypes } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')

const isActive = async ({ user_id }: Person) => (await owner.users.get({ user_id })).user.is_active

const refusal = (msg: string, code = 'BAD_REQUEST') => ({
  status: 400,
  body: { result: 'error', code, msg },
})

test('a reactivated person has their former data and key, and their bots stay deactivated', async () => {
  const iris = await world.person('iris')
  const bot = await world.bot('mower', iris)
  const before = await iris.users.me()
  await owner.users.deactivate({ user_id: iris.user_id })

  assert.deepEqual(await ada.users.reactivate({ user_id: iris.user_id }), {})

  await world.settled()
  assert.deepEqual(await iris.on('b').users.me(), before)
  assert.equal(await isActive(bot), false)
  await iris.users.reactivate({ user_id: bot.user_id })
  assert.equal((await bot.on('b').users.me()).is_active, true)
})

test('a bot whose owner is deactivated can be reactivated only with another owner', async () => {
  for (const type of botTypes) {
    const [gone, heir] = await world.people(`gone${type}`, `heir${type}`)
    const bot = await world.bot(`orphan${type}`, gone, type)
    const { user_id } = bot
    await owner.users.deactivate({ user_id: gone.user_id })

    for (const by of [owner, ada])
      await assert.rejects(by.users.reactivate({ user_id }), { errorName: 'BOT_OWNER_DEACTIVATED' })
    assert.equal(await isActive(bot), false)

    await ada.bots.update({ bot_id: user_id, bot_owner_id: heir.user_id })
    await ada.users.reactivate({ user_id })
    assert.equal(await isActive(bot), true)
    await assert.rejects(bot.users.me(), { errorName: 'INVALID_API_KEY' })
  }
})

test('reactivating an active user succeeds without a change', async () => {
  const iris = await world.person('active')

  assert.deepEqual(await ada.users.reactivate({ user_id: iris.user_id }), {})
})

test('reactivation is refused if the caller may not change the user', async () => {
  const [mia, gone] = await world.people('mia', 'gone')
  const bot = await world.bot('weeder', gone)
  const tea = await world.addOrganization('tea')
  await owner.users.deactivate({ user_id: gone.user_id })

  for (const user_id of [0, tea.owner.user_id] as never[])
    await assert.rejects(ada.users.reactivate({ user_id }), refusal('No such user'))
  for (const { user_id } of [gone, bot, owner])
    await assert.rejects(mia.users.reactivate({ user_id }), refusal('Insufficient permission'))

  assert.deepEqual([await isActive(gone), await isActive(bot)], [false, false])
})

test('reactivating a bot requires the permission to create one', async () => {
  const iris = await world.person('iris2')
  const types: BotType[] = [1, 2, 3, 4]
  const bots = await Promise.all(types.map((type) => world.bot(`type${type}`, iris, type)))
  const allowed: Record<number, BotType[]> = { 1: [1, 2, 3, 4], 2: [2, 3, 4], 3: [] }
  const denied = refusal('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')

  for (const [policy, permitted] of Object.entries(allowed)) {
    await world.database.query('update organization set bot_creation_policy = $1', [policy])
    for (const [index, { user_id }] of bots.entries()) {
      const type = types[index] as BotType
      const what = `type ${type} under policy ${policy}`
      await world.database.query('update user_account set is_active = false where id = $1', [user_id])
      await world.database.query(
        'update role_period set to_outbox_id = 0, to_message_id = 0 where user_id = $1 and to_outbox_id is null',
        [user_id],
      )
      if (permitted.includes(type)) await iris.users.reactivate({ user_id })
      else {
        await assert.rejects(iris.users.reactivate({ user_id }), denied, what)
        await ada.users.reactivate({ user_id })
      }
      assert.equal((await owner.users.get({ user_id })).user.is_active, true, what)
    }
  }
})

test('concurrent reactivations of a user open one role period', async () => {
  const iris = await world.person('iris3')
  await owner.users.deactivate({ user_id: iris.user_id })

  await Promise.all(
    (['a', 'b', 'a', 'b'] as const).map((node) => ada.on(node).users.reactivate({ user_id: iris.user_id })),
  )

  const periods = await world.database.query('select to_outbox_id from role_period where user_id = $1', [
    iris.user_id,
  ])
  assert.equal(periods.length, 2)
  assert.equal(periods.filter((period) => period.to_outbox_id === null).length, 1)
})
