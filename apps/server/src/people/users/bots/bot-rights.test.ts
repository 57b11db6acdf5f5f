import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Bot, BotType, botTypes, Role, type StreamId } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import { expectSameState, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { refusal } from '@oxbow/testkit/calls/requests'
import { listScheduled, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { bySize } from '@oxbow/testkit/size'
import { collectNotices } from '../../../streams/test/pending-notices.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
/** Nobody can be made a moderator yet. */
const roles = ['owner', 'administrator', 'member', 'guest'] as const satisfies readonly (keyof typeof Role)[]
const refused = { errorName: 'INSUFFICIENT_PERMISSION' }
let made = 0

const makePerson = (role: keyof typeof Role) => world.person(`person${++made}`, role)
const makeBotOf = (person: Person, options: Parameters<typeof makeBot>[3] = {}) =>
  makeBot(world, person, `bot${++made}`, options)
const roleOf = async ({ user_id }: Person) => {
  const [row] = await world.database.query<{ role: number }>(
    'select role::int from user_account where id = $1',
    [user_id],
  )
  return row?.role
}
const setRole = ({ user_id }: Person, role: Role) => owner.users.update({ user_id, role })
const give = (by: Person, bot: Person, to: Person) =>
  by.bots.update({ bot_id: bot.user_id, bot_owner_id: to.user_id })

/** Asserts that events describe the change. The gate compares some states only after a later change, or at the end. */
const expectSame = (people: Readonly<Record<string, Person>>, change: () => Promise<unknown>) =>
  expectSameState(world, people, change, { mayDefer: bySize({ gate: true, long: false }) })

async function shownTo(person: Person, bot: Person): Promise<Bot | undefined> {
  const { realm_bots = [] } = await person.events.register({ fetch_event_types: ['realm_bot'] })
  return realm_bots.find(({ user_id }) => user_id === bot.user_id)
}

for (const role of roles) {
  test(`a caller who is ${role} may change the owner of a bot only with administrator rights`, async () => {
    for (const bot_type of botTypes.filter((type) => type !== BotType.embedded)) {
      const previous = await makePerson('member')
      const bot = await makeBotOf(previous, { bot_type })
      const caller = await makePerson(role)
      const next = await makePerson('member')

      if (role === 'owner' || role === 'administrator') await give(caller, bot, next)
      else await assert.rejects(give(caller, bot, next))
      await assert.rejects(give(previous, bot, caller), refused)
    }
  })
}

test('the owner of a bot cannot give it to another person, but may send themselves as its owner', async () => {
  const [iris, otto] = [await makePerson('member'), await makePerson('member')]
  const bot = await makeBotOf(iris)

  await assert.rejects(give(iris, bot, otto), refused)
  await give(iris, bot, iris)

  assert.equal((await iris.users.get({ user_id: bot.user_id })).user.bot_owner_id, iris.user_id)
  assert.equal((await bot.users.me()).user_id, bot.user_id)
})

test('a bot that gets another owner loses its key and its queues on every node', async () => {
  const [iris, otto] = [await makePerson('member'), await makePerson('member')]
  const bot = await makeBotOf(iris)
  const queues = [await openQueue(bot, {}), await openQueue(bot, {})]
  const waiting = bot.on('b').events.poll({ queue_id: queues[0]?.queue_id ?? '', last_event_id: -1 })
  const ended = assert.rejects(waiting)

  const notices = await collectNotices(world, () => give(owner, bot, otto))

  await world.settled()
  await ended
  for (const node of ['a', 'b'] as const)
    await assert.rejects(bot.on(node).users.me(), { errorName: 'INVALID_API_KEY' })
  const remainingQueues = await world.database.query('select from event_queue where user_id = $1', [
    bot.user_id,
  ])
  assert.equal(remainingQueues.length, 0)
  const { bots } = await otto.bots.list()
  assert.notEqual(bots[0]?.api_key, bot.api_key)
  assert.deepEqual(
    notices.map((notice) => 'users' in notice && notice.users),
    [[iris.user_id], [otto.user_id]],
  )
})

test('scheduled messages and drafts of a bot are deleted when it gets another owner', async () => {
  const [iris, otto] = [await makePerson('member'), await makePerson('member')]
  const bot = await makeBotOf(iris)
  const { stream_id, name } = await world.stream(`vault ${++made}`, {
    members: [iris, otto],
    invite_only: true,
  })
  await schedule(bot, { to: stream_id })
  await schedule(bot, { to: [otto.user_id] })
  await bot.drafts.create({
    drafts: [{ type: 'private', to: [iris.user_id], topic: '', content: 'Not yet.' }],
  })
  await iris.subscriptions.unsubscribe({ subscriptions: [name] })

  await give(owner, bot, otto)

  const [given] = (await otto.bots.list()).bots
  assert.ok(given)
  const credentials = { email: bot.email, api_key: given.api_key }
  const botOfOtto = createClient({ url: world.nodes.b.url, credentials })
  assert.deepEqual(await listScheduled(botOfOtto), [])
  assert.deepEqual((await botOfOtto.drafts.list()).drafts, [])
})

test('the key of a bot is shown to its owner and is empty for every administrator', async () => {
  const watchers: Record<string, Person> = { owner, ada: await makePerson('administrator') }
  for (const ownerRole of ['member', 'administrator', 'owner'] as const) {
    const iris = await makePerson(ownerRole)
    const cast = { ...watchers, iris }
    let bot: Person | undefined
    const events = await collectEvents(world, cast, async () => (bot = await makeBotOf(iris)), {
      event_types: ['realm_bot'],
    })
    assert.ok(bot)
    const key = bot.api_key
    for (const [name, person] of Object.entries(cast)) {
      const expected = name === 'iris' ? key : ''
      const received = events[name]?.map(
        (event) => 'bot' in event && 'api_key' in event.bot && event.bot.api_key,
      )
      assert.deepEqual(received, [expected], `${name}, event`)
      assert.equal((await shownTo(person, bot))?.api_key, expected, `${name}, state`)
    }
  }
})

test('the token of an outgoing webhook is shown to its owner and is empty for every administrator', async () => {
  const ada = await makePerson('administrator')
  const tokenIn = (bot: object | undefined) => {
    const services = bot && 'services' in bot ? (bot.services as { token?: string }[]) : []
    return services[0]?.token
  }
  for (const ownerRole of ['member', 'administrator', 'owner'] as const) {
    const [iris, otto] = [await makePerson(ownerRole), await makePerson(ownerRole)]
    const cast = { owner, ada, iris, otto }
    const bot = await makeBotOf(iris, { bot_type: 3, payload_url: 'https://example.com/' })
    let token = tokenIn(await shownTo(iris, bot))
    assert.ok(token)
    const changes: Record<string, () => Promise<unknown>> = {
      'nothing changes': async () => {},
      'its URL changes': () =>
        iris.bots.update({ bot_id: bot.user_id, service_payload_url: 'https://example.com/next' }),
      'an administrator changes its interface': () =>
        ada.bots.update({
          bot_id: bot.user_id,
          service_payload_url: 'https://example.com/next',
          service_interface: 2,
        }),
      'it goes to another owner': () => give(owner, bot, otto),
      'it comes back': async () => {
        await otto.bots.deactivate({ bot_id: bot.user_id })
        await owner.users.reactivate({ user_id: bot.user_id })
      },
    }
    let holder = iris
    for (const [how, change] of Object.entries(changes)) {
      if (how === 'it goes to another owner') holder = otto
      const events = await collectEvents(world, cast, () => expectSame({ owner, ada, iris, otto }, change), {
        event_types: ['realm_bot'],
      })
      if (how === 'it goes to another owner') {
        const next = tokenIn(await shownTo(otto, bot))
        assert.ok(next && next !== token)
        token = next
      }
      for (const [name, person] of Object.entries(cast)) {
        const isHolder = person.user_id === holder.user_id
        const received = (events[name] ?? []).flatMap((event) =>
          'bot' in event ? (tokenIn(event.bot) ?? []) : [],
        )
        const expected = isHolder ? token : ''
        assert.ok(
          received.every((outcome) => outcome === expected),
          `${name}, event, ${how}`,
        )
        const shown = tokenIn(await shownTo(person, bot))
        if (isHolder) assert.equal(shown, token, `${name}, state, ${how}`)
        else assert.ok(!shown, `${name}, state, ${how}`)
      }
    }
  }
})

test('only the owner of an outgoing webhook chooses its server, and another owner begins without one', async () => {
  const [iris, otto] = [await makePerson('member'), await makePerson('member')]
  const bot = await makeBotOf(iris, { bot_type: 3, payload_url: 'https://example.com/' })
  const shownUrl = async (person: Person) => (await shownTo(person, bot))?.services[0]
  const setUrl = (person: Person, service_payload_url: string) =>
    person.bots.update({ bot_id: bot.user_id, service_payload_url })
  await assert.rejects(setUrl(owner, 'https://example.org/'), refusal('Insufficient permission'))
  await setUrl(owner, 'https://example.com/')
  await setUrl(iris, 'https://example.net/')
  await assert.rejects(
    owner.bots.update({
      bot_id: bot.user_id,
      bot_owner_id: otto.user_id,
      service_payload_url: 'https://example.org/',
    }),
    refusal('Insufficient permission'),
  )
  assert.deepEqual(await shownUrl(owner), { base_url: 'https://example.net/', interface: 1, token: '' })

  await give(owner, bot, otto)
  const { token, ...service } = (await shownUrl(otto)) as { token: string }
  assert.deepEqual(service, { base_url: '', interface: 1 })
  assert.match(token, /^\w{32}$/)
})

test('only the owner of a bot gets its new key, regardless of the request that changes it', async () => {
  const ada = await makePerson('administrator')
  const [iris, otto] = [await makePerson('member'), await makePerson('administrator')]
  const rosa = await makePerson('member')
  const cast = { owner, ada, iris, otto, rosa }
  const bot = await makeBotOf(iris)
  const changes: Record<string, () => Promise<unknown>> = {
    'by its owner': () => iris.bots.regenerateApiKey({ bot_id: bot.user_id }),
    'by an administrator': () => ada.bots.regenerateApiKey({ bot_id: bot.user_id }),
    'by another owner': () => give(ada, bot, otto),
    'by going back': () => give(ada, bot, iris),
    'by coming back': async () => {
      await iris.bots.deactivate({ bot_id: bot.user_id })
      await iris.users.reactivate({ user_id: bot.user_id })
    },
    'to a new administrator': () => setRole(rosa, Role.administrator),
  }
  for (const [how, change] of Object.entries(changes)) {
    const events = await collectEvents(world, cast, change, { event_types: ['realm_bot'] })
    for (const [name, list] of Object.entries(events)) {
      const { bot_owner_id } = (await owner.users.get({ user_id: bot.user_id })).user
      const isOwner = cast[name as keyof typeof cast].user_id === bot_owner_id
      const keys = list.flatMap((event) =>
        event.type === 'realm_bot' && 'api_key' in event.bot ? [event.bot.api_key] : [],
      )
      if (!isOwner)
        assert.ok(
          keys.every((key) => key === ''),
          `${name} ${how}`,
        )
    }
  }
})

test("the owner, and administrators with at least the bot's role, can regenerate its key", async () => {
  for (const botRole of ['owner', 'administrator', 'member'] as const) {
    const boss = await makePerson('owner')
    const bot = await makeBotOf(boss)
    if (botRole !== 'member') await setRole(bot, Role[botRole])
    for (const role of roles) {
      const caller = await makePerson(role)
      const regenerate = () => caller.bots.regenerateApiKey({ bot_id: bot.user_id })
      const isAllowed = role !== 'member' && Role[role] <= Role[botRole] && role !== 'guest'
      const notices = await collectNotices(world, () =>
        isAllowed ? regenerate() : assert.rejects(regenerate()),
      )
      const expected = isAllowed ? [[boss.user_id]] : []
      assert.deepEqual(
        notices.map((notice) => 'users' in notice && notice.users),
        expected,
        `${role} of a bot that is ${botRole}`,
      )
      const giving = give(caller, bot, boss)
      if (role === 'owner' || role === 'administrator') await giving
      else await assert.rejects(giving)
    }
    assert.deepEqual(
      await collectNotices(world, () => boss.bots.regenerateApiKey({ bot_id: bot.user_id })),
      [],
    )
  }
})

test('an administrator cannot give away a bot with a higher role', async () => {
  const bot = await makeBotOf(owner)
  await setRole(bot, Role.owner)
  const ada = await makePerson('administrator')

  await assert.rejects(give(ada, bot, ada), refused)
})

const isLongest = (before: string, afterwards: string) => before === 'owner' && afterwards === 'guest'

for (const before of roles) {
  for (const afterwards of roles.filter((role) => Role[role] > Role[before])) {
    test(`bots of a person whose role changes from ${before} to ${afterwards} never have a higher role`, async () => {
      const person = await makePerson(before)
      const bots = await Promise.all(
        roles
          .filter((role) => Role[role] >= Role[before])
          .map(async (role) => {
            const bot = await world.bot(`bot${++made}`, person)
            if (role !== 'member') await setRole(bot, Role[role])
            return { bot, role: Role[role] }
          }),
      )
      const asleep = await world.bot(`bot${++made}`, person)
      if (before !== 'member') await setRole(asleep, Role[before])
      await owner.bots.deactivate({ bot_id: asleep.user_id })
      const cast = Object.fromEntries(bots.map(({ bot }, index) => [`bot ${index}`, bot]))
      const demote = () => setRole(person, Role[afterwards])

      if (isLongest(before, afterwards)) await expectSame({ owner, person, ...cast }, demote)
      else await demote()

      for (const { bot, role } of bots)
        assert.equal(await roleOf(bot), Math.max(role, Role[afterwards]), `was ${role}`)
      assert.equal(await roleOf(asleep), Role[afterwards])
      await owner.users.reactivate({ user_id: asleep.user_id })
      assert.equal(await roleOf(asleep), Role[afterwards])
      const periods = await world.database.query<{ role: number }>(
        'select role::int from role_period where user_id = any($1) and to_outbox_id is null',
        [[...bots.map(({ bot }) => bot.user_id), asleep.user_id]],
      )
      assert.ok(periods.every(({ role }) => role >= Role[afterwards]))
      assert.equal(periods.length, bots.length + 1)
    })
  }
}

test('a member who becomes a guest cannot use bots to exceed the rights of a guest', async () => {
  const mia = await makePerson('member')
  const bot = await makeBotOf(mia)
  const { stream_id } = await world.stream('open field', { members: [owner] })
  const post = () => bot.messages.send({ type: 'stream', to: stream_id as number, topic: 'a', content: 'b' })
  await post()

  await setRole(mia, Role.guest)

  await assert.rejects(post())
  const { streams } = await bot.streams.list({})
  assert.ok(!streams.some((stream) => stream.stream_id === (stream_id as StreamId)))
})

test("a role above the owner's is refused for a bot", async () => {
  for (const ownerRole of roles) {
    const person = await makePerson(ownerRole)
    const bot = await world.bot(`bot${++made}`, person)
    if (ownerRole === 'guest') await setRole(bot, Role.guest)
    for (const role of roles) {
      const isGuestRisen = (await roleOf(bot)) === Role.guest && Role[role] < Role.member
      if (isGuestRisen) continue
      const attempt = setRole(bot, Role[role])
      if (Role[role] < Role[ownerRole])
        await assert.rejects(attempt, { errorName: 'BOT_ROLE_ABOVE_OWNER' }, `${role} of ${ownerRole}`)
      else await attempt
    }
  }
})

test('giving a bot of any type to a guest is refused', async () => {
  const guest = await makePerson('guest')
  for (const bot_type of botTypes.filter((type) => type !== BotType.embedded)) {
    const bot = await makeBotOf(owner, { bot_type })

    await assert.rejects(give(owner, bot, guest), { errorName: 'NEW_BOT_OWNER_IS_GUEST' })
    assert.equal((await owner.users.get({ user_id: bot.user_id })).user.bot_owner_id, owner.user_id)
  }
})

test('a bot that gets an owner with a lower role gets that role', async () => {
  for (const role of roles.filter((role) => role !== 'guest')) {
    const bot = await makeBotOf(owner)
    await setRole(bot, Role.owner)
    const next = await makePerson(role)

    if (role === 'member') await expectSame({ owner, next }, () => give(owner, bot, next))
    else await give(owner, bot, next)

    assert.equal(await roleOf(bot), Role[role])
  }
})

test("a bot with a higher role than its owner is reactivated with the owner's role", async () => {
  const mia = await makePerson('member')
  const bot = await makeBotOf(mia)
  await owner.bots.deactivate({ bot_id: bot.user_id })
  await world.database.query('update user_account set role = 100 where id = $1', [bot.user_id])

  await expectSame({ owner, mia }, () => owner.users.reactivate({ user_id: bot.user_id }))

  assert.equal(await roleOf(bot), Role.member)
})
