import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType, botTypes, Role, type StreamId } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import { expectSameState, type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { bySize } from '@oxbow/testkit/size'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')
let made = 0

const kinds = ['private', 'protected'] as const
/** Incoming webhooks cannot read, and embedded bots cannot be created. */
const readingTypes = botTypes.filter((type) => type !== BotType.embedded && type !== BotType.incomingWebhook)
const makePerson = (role: keyof typeof Role = 'member') => world.person(`person${++made}`, role)
const makeBotOf = (person: Person, bot_type: BotType = BotType.generic) =>
  makeBot(world, person, `bot${++made}`, {
    bot_type,
    ...(bot_type === BotType.outgoingWebhook && { payload_url: 'https://service.example/' }),
  })
const makeStream = (kind: (typeof kinds)[number] | 'public', members: readonly Person[]) =>
  world.stream(`stream ${++made}`, {
    members: [owner, ...members],
    invite_only: kind !== 'public',
    history_public_to_subscribers: kind !== 'protected',
  })
const subscribe = (by: Person, { name }: MadeStream, whom: Person) =>
  by.subscriptions.subscribe({ subscriptions: [{ name }], principals: [whom.user_id] })
const isIn = async (stream: MadeStream, person: Person) =>
  (await owner.streams.members({ stream_id: stream.stream_id })).subscribers.includes(person.user_id)
const reads = async (by: Pick<Person, 'messages'>, content: string) => {
  const { messages } = await by.messages.list({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
  })
  return messages.some((message) => message.content === content)
}
const give = (by: Person, bot: Person, to: Person) =>
  by.bots.update({ bot_id: bot.user_id, bot_owner_id: to.user_id })

/** Returns the bot with the key that its owner sees. */
async function asOwnedBy(person: Person, bot: Person) {
  const { bots } = await person.bots.list()
  const api_key = bots.find(({ username }) => username === bot.email)?.api_key ?? ''
  return createClient({ url: world.nodes.a.url, credentials: { email: bot.email, api_key } })
}

/** Asserts that events describe the change. The gate compares some states only after a later change, or at the end. */
const expectSame = (people: Readonly<Record<string, Person>>, change: () => Promise<unknown>) =>
  expectSameState(world, people, change, { mayDefer: bySize({ gate: true, long: false }) })

/** Ways in which an owner can lose access to a stream. */
const losses: Record<string, (stream: MadeStream, person: Person) => Promise<unknown>> = {
  'leaves it': ({ name }, person) => person.subscriptions.unsubscribe({ subscriptions: [name] }),
  'leaves it with another endpoint': ({ name }, person) =>
    person.subscriptions.change({ add: [{ name: `other ${++made}` }], delete: [name] }),
  'is removed': ({ name }, { user_id }) =>
    owner.subscriptions.unsubscribe({ subscriptions: [name], principals: [user_id] }),
}

/** Creates a person with bots of all types that can read, and one bot that the test deactivates. */
async function makeBotOwner(role: keyof typeof Role) {
  const person = await makePerson(role)
  const bots: Person[] = []
  for (const type of readingTypes) bots.push(await world.bot(`bot${++made}`, person, type))
  return { role, person, bots, asleep: await world.bot(`bot${++made}`, person) }
}
const botOwners = [
  await makeBotOwner('administrator'),
  await makeBotOwner('member'),
  await makeBotOwner('guest'),
]
const others = await world.bot(`bot${++made}`, ada)

for (const [how, lose] of Object.entries(losses)) {
  for (const kind of kinds) {
    test(`bots leave a ${kind} stream when their owner ${how}`, async () => {
      for (const { role, person, bots, asleep } of botOwners) {
        // Guests cannot use the endpoint that subscribes and unsubscribes at once.
        if (role === 'guest' && how === 'leaves it with another endpoint') continue
        const stream = await makeStream(kind, [ada, person, ...bots, asleep, others])
        await owner.bots.deactivate({ bot_id: asleep.user_id })
        const cast = Object.fromEntries(bots.map((bot, index) => [`bot ${index}`, bot]))

        await expectSame({ owner, ada, person, ...cast }, () => lose(stream, person))

        await owner.users.reactivate({ user_id: asleep.user_id })
        const secret = `after they left ${stream.name}`
        await sendToStream(owner, stream, 'secret', secret)
        for (const bot of [...bots, asleep]) {
          assert.ok(!(await isIn(stream, bot)), `${role}`)
          assert.ok(!(await reads(bot, secret)), `${role}`)
          await assert.rejects(subscribe(bot, stream, person))
        }
        assert.ok(await isIn(stream, others))
      }
    })
  }
}

test('if a guest leaves a public stream, their bots are unsubscribed too', async () => {
  const [gus, mia] = [await makePerson('guest'), await makePerson()]
  const [botOfGuest, botOfMember] = [
    await world.bot(`bot${++made}`, gus),
    await world.bot(`bot${++made}`, mia),
  ]
  const stream = await makeStream('public', [gus, mia, botOfGuest, botOfMember])

  await expectSame({ owner, gus, mia, botOfGuest, botOfMember }, () =>
    owner.subscriptions.unsubscribe({
      subscriptions: [stream.name],
      principals: [gus.user_id, mia.user_id],
    }),
  )

  assert.ok(!(await isIn(stream, botOfGuest)))
  assert.ok(await isIn(stream, botOfMember), 'a member may read the stream without being in it')
})

test('bots whose owners are not subscribed are removed from a stream that becomes private', async () => {
  const [inside, outside] = [await makePerson(), await makePerson()]
  const [kept, removed] = [await makeBotOf(inside), await makeBotOf(outside)]
  const stream = await makeStream('public', [inside, kept, removed])
  const { stream_id } = stream

  await expectSame({ owner, ada, inside, outside, kept, removed }, () =>
    owner.streams.update({ stream_id, is_private: true }),
  )

  assert.ok(await isIn(stream, kept))
  assert.ok(!(await isIn(stream, removed)))
})

test('a public stream whose only subscriber is a bot is archived when it becomes private', async () => {
  const mia = await makePerson()
  const bot = await makeBotOf(mia)
  const name = `stream ${++made}`
  await bot.subscriptions.subscribe({ subscriptions: [{ name }] })
  const { stream_id } = await owner.streams.getId({ stream: name })

  await expectSame({ owner, mia, bot }, () =>
    owner.streams.update({ stream_id, is_private: true, new_name: `${name} renamed` }),
  )

  const [row] = await world.database.query<{ archived_at: Date | null }>(
    'select archived_at from stream where id = $1',
    [stream_id],
  )
  assert.ok(row?.archived_at)
})

test('the bots of a member who becomes a guest leave public streams to which the guest is not subscribed', async () => {
  const mia = await makePerson()
  const bot = await makeBotOf(mia)
  const outside = await makeStream('public', [bot])
  const inside = await makeStream('public', [bot, mia])
  const closed = await makeStream('private', [bot, mia])

  await expectSame({ owner, ada, mia, bot }, () =>
    owner.users.update({ user_id: mia.user_id, role: Role.guest }),
  )

  assert.ok(!(await isIn(outside, bot)))
  assert.ok(await isIn(inside, bot))
  assert.ok(await isIn(closed, bot))
})

test("a bot cannot subscribe its owner or the owner's other bots to a private stream that the owner is not in", async () => {
  for (const kind of kinds) {
    const [mia, rosa] = [await makePerson(), await makePerson()]
    const [bot, other] = [await makeBotOf(mia), await makeBotOf(mia)]
    const stream = await makeStream(kind, [bot])

    for (const whom of [mia, other])
      await assert.rejects(subscribe(bot, stream, whom), { errorName: 'STREAM_NOT_ACCESSIBLE' })

    await subscribe(bot, stream, rosa)
    await subscribe(rosa, stream, mia)
    await subscribe(bot, stream, other)
    assert.ok(await isIn(stream, other))
  }
})

test('a new owner cannot use a bot to read private streams that the owner has no access to', async () => {
  for (const kind of kinds) {
    for (const isFormer of [false, true]) {
      const mia = await makePerson()
      const bot = await makeBotOf(mia)
      const stream = await makeStream(kind, [mia, bot])
      const topic = 'secret'
      const id = await sendToStream(owner, stream, topic, 'before')
      await bot.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
      await sendToStream(owner, stream, topic, `@**${(await bot.users.me()).full_name}** wake up`)
      if (isFormer) await bot.subscriptions.unsubscribe({ subscriptions: [stream.name] })
      if (kind === 'protected') await subscribe(owner, stream, ada)

      await expectSame({ owner, mia }, () => give(ada, bot, ada))

      const transferred = await asOwnedBy(ada, bot)
      await sendToStream(owner, stream, topic, 'after')
      assert.ok(!(await isIn(stream, bot)))
      for (const content of ['before', 'after'])
        assert.ok(!(await reads(transferred, content)), `${kind}, ${isFormer}: ${content}`)
      await assert.rejects(transferred.messages.getRaw({ message_id: id }))
      await assert.rejects(transferred.messages.history({ message_id: id }))
      const stars = await transferred.messages.list({
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'is', operand: 'starred' }],
      })
      assert.deepEqual(stars.messages, [])
      await assert.rejects(transferred.streams.topics({ stream_id: stream.stream_id as StreamId }))
      if (kind === 'protected') await ada.subscriptions.unsubscribe({ subscriptions: [stream.name] })
    }
  }
})

test('the default streams of a bot are hidden from a new owner who cannot see these streams', async () => {
  const [mia, rosa] = [await makePerson(), await makePerson()]
  const stream = await makeStream('private', [mia])
  const open = await makeStream('public', [mia])
  const bot = await makeBotOf(mia)
  await mia.bots.update({
    bot_id: bot.user_id,
    default_sending_stream: stream.name,
    default_events_register_stream: stream.name,
  })

  await expectSame({ owner, ada, mia, rosa }, () => give(ada, bot, rosa))

  const [shown] = (await rosa.bots.list()).bots
  assert.deepEqual([shown?.default_sending_stream, shown?.default_events_register_stream], [null, null])
  await rosa.bots.update({ bot_id: bot.user_id, default_sending_stream: open.name })
  await give(ada, bot, mia)
  assert.equal((await mia.bots.list()).bots[0]?.default_sending_stream, open.name)
})

test('a bot stays subscribed to private streams with shared history if its new owner is subscribed', async () => {
  const [mia, rosa] = [await makePerson(), await makePerson()]
  const bot = await makeBotOf(mia)
  const stream = await makeStream('private', [mia, rosa, bot])
  await sendToStream(owner, stream, 'plan', 'for all of us')

  await give(ada, bot, rosa)

  assert.ok(await isIn(stream, bot))
  assert.ok(await reads(await asOwnedBy(rosa, bot), 'for all of us'))
})

test('only the owner of a bot gets its new key', async () => {
  for (const ownerRole of ['member', 'administrator', 'owner'] as const) {
    const person = await makePerson(ownerRole)
    for (const type of [BotType.generic, BotType.incomingWebhook, BotType.outgoingWebhook]) {
      const bot = await makeBotOf(person, type)
      const bot_id = bot.user_id
      for (const caller of [owner, ada]) {
        const { api_key } = await caller.bots.regenerateApiKey({ bot_id })
        assert.equal(api_key, '', `bot of ${ownerRole}`)
        await assert.rejects(bot.users.me(), { errorName: 'INVALID_API_KEY' })
      }
      const { api_key } = await person.bots.regenerateApiKey({ bot_id })
      assert.equal(
        (await person.bots.list()).bots.find(({ username }) => username === bot.email)?.api_key,
        api_key,
      )
    }
  }
})

test('nobody gets the key of a bot without an owner until the bot gets an owner', async () => {
  const mia = await makePerson()
  const bot = await makeBotOf(mia)
  const stream = await makeStream('private', [mia, bot])
  await world.database.query('update user_account set bot_owner_id = null where id = $1', [bot.user_id])

  assert.equal((await ada.bots.regenerateApiKey({ bot_id: bot.user_id })).api_key, '')
  await give(ada, bot, ada)

  assert.ok(!(await isIn(stream, bot)))
})
