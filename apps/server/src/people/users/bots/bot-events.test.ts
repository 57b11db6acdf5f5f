import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Event, Role } from '@oxbow/contract'
import { openQueue, type Person, pngOf, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { makeEmbeddedBot } from './test/make-embedded-bot.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
/** A bot with the role of an administrator. It must not get events about other bots. */
const steward = await world.bot('steward', owner)
await owner.users.update({ user_id: steward.user_id, role: Role.administrator })
const robin = await makeBot(world, iris, 'robin')
const bot_id = robin.user_id
await world.stream('garden', { by: iris })
const cast = { owner, ada, iris, otto, gus, steward, robin }
const types = { event_types: ['realm_bot', 'realm_user'] }
const files = [{ name: 'a.png', bytes: pngOf(4, 4) }]

/**
 * Collects the events about bots per viewer, without ids, and the order of `realm_bot` and
 * `realm_user`.
 */
async function collectBotEvents(change: () => Promise<unknown>, people: Record<string, Person> = cast) {
  const events = await collectEvents(world, people, change, types)
  const bots: Record<string, object[]> = {}
  const order: Record<string, string[]> = {}
  for (const [name, list] of Object.entries(events)) {
    order[name] = list.map(brief)
    const botEvents = list.filter(({ type }) => type === 'realm_bot').map(({ id: _, ...event }) => event)
    if (botEvents.length > 0) bots[name] = botEvents
  }
  return { bots, order }
}

const brief = (event: Event) => `${event.type} ${'op' in event ? event.op : ''}`
const update = (change: object) => [{ type: 'realm_bot', op: 'update', bot: { user_id: bot_id, ...change } }]
const watchers = (event: object[]) => ({ owner: event, ada: event, iris: event })

test('a new bot is announced to everyone, with key and token only to its owner', async () => {
  let made: { api_key: string; avatar_url: string; user_id: number } | undefined
  const { bots, order } = await collectBotEvents(async () => {
    made = await iris.bots.create({
      full_name: 'Wren',
      short_name: 'wren',
      bot_type: 3,
      payload_url: 'https://example.com/hook',
      default_sending_stream: 'garden',
    })
  })

  const [added] = bots.iris as [{ op: string; bot: Record<string, unknown> }]
  const [service] = added.bot.services as [{ token: string }]
  assert.deepEqual(added, {
    type: 'realm_bot',
    op: 'add',
    bot: {
      user_id: made?.user_id,
      email: 'wren-bot@localhost',
      full_name: 'Wren',
      bot_type: 3,
      is_active: true,
      owner_id: iris.user_id,
      api_key: made?.api_key,
      avatar_url: made?.avatar_url,
      default_sending_stream: 'garden',
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [{ base_url: 'https://example.com/hook', interface: 1, token: service.token }],
    },
  })
  const services = [{ ...service, token: '' }]
  const keyless = [{ ...added, bot: { ...added.bot, api_key: '', services } }]
  assert.deepEqual(bots, { owner: keyless, ada: keyless, iris: [added] })
  assert.deepEqual(order.iris, ['realm_user add', 'realm_bot add'])
  assert.deepEqual(order.gus, ['realm_user add'])
})

test('the event log contains no key, token or configuration of bots', async () => {
  const secret = { mood: 'hush hush' }
  const queue = await openQueue(iris, types)
  const helper = await makeEmbeddedBot(world, iris, 'helper', secret)
  const { api_key } = await iris.bots.regenerateApiKey({ bot_id: helper.user_id })
  await iris.bots.update({ bot_id: helper.user_id, config_data: { more: 'still hush' } })
  await world.settled()

  const receivedText = JSON.stringify(await queue.rest())
  for (const secret of [helper.api_key, api_key, 'hush hush', 'still hush'])
    assert.ok(receivedText.includes(secret))
  const batches = await world.database.query('select * from event_batch where organization_id = $1', [
    world.organization_id,
  ])
  const storedText = JSON.stringify(batches)
  assert.ok(storedText.includes('realm_bot'))
  for (const secret of [helper.api_key, api_key, 'hush']) assert.ok(!storedText.includes(secret))
  await iris.bots.deactivate({ bot_id: helper.user_id })
})

test('renaming a bot emits realm_user, then realm_bot', async () => {
  for (const rename of [
    () => iris.bots.update({ bot_id, full_name: 'Robin A' }),
    () => owner.users.update({ user_id: bot_id, full_name: 'Robin B' }),
  ]) {
    const { bots, order } = await collectBotEvents(rename)
    const { full_name } = (await iris.users.get({ user_id: bot_id })).user
    assert.deepEqual(bots, watchers(update({ full_name })))
    assert.deepEqual(order.ada, ['realm_user update', 'realm_bot update'])
  }
  const { bots } = await collectBotEvents(() => iris.bots.update({ bot_id, full_name: 'Robin B' }))
  assert.deepEqual(bots, {})
})

test('a new avatar of a bot emits realm_bot, then realm_user', async () => {
  for (const change of [
    () => iris.bots.update({ bot_id, files }),
    () => robin.users.setAvatar({ files }),
    () => robin.users.clearAvatar(),
  ]) {
    const { bots, order } = await collectBotEvents(change)
    const { avatar_url } = (await iris.users.get({ user_id: bot_id })).user
    assert.deepEqual(bots, watchers(update({ avatar_url })))
    assert.deepEqual(order.iris, ['realm_bot update', 'realm_user update'])
  }
})

test('the new key of a bot is sent to its owner only', async () => {
  const wise = await makeBot(world, iris, 'wise')
  const { robin: _, ...others } = cast
  for (const regenerate of [
    () => wise.users.regenerateApiKey(),
    () => owner.bots.regenerateApiKey({ bot_id: wise.user_id }),
  ]) {
    const { bots, order } = await collectBotEvents(regenerate, others)
    const list = (await iris.bots.list()).bots
    const api_key = list.find(({ username }) => username === wise.email)?.api_key
    const event = { type: 'realm_bot', op: 'update', bot: { user_id: wise.user_id, api_key } }
    assert.deepEqual(bots, { iris: [event] })
    assert.deepEqual(order.iris, ['realm_bot update'])
  }
  const mia = await world.person('mia')
  assert.deepEqual(await collectBotEvents(() => mia.users.regenerateApiKey(), { owner, iris }), {
    bots: {},
    order: { owner: [], iris: [] },
  })
})

test('each changed default or service of a bot is sent in a separate event', async () => {
  const { bots } = await collectBotEvents(() =>
    iris.bots.update({
      bot_id,
      default_sending_stream: 'garden',
      default_events_register_stream: 'garden',
      default_all_public_streams: true,
    }),
  )
  assert.deepEqual(
    bots,
    watchers([
      ...update({ default_sending_stream: 'garden' }),
      ...update({ default_events_register_stream: 'garden' }),
      ...update({ default_all_public_streams: true }),
    ]),
  )
  const caller = await makeBot(world, iris, 'caller', { bot_type: 3 })
  const changed = await collectBotEvents(() =>
    iris.bots.update({ bot_id: caller.user_id, service_payload_url: 'https://example.com/b' }),
  )
  const [event] = changed.bots.iris as [{ bot: { services: { token: string }[] } }]
  const [service] = event.bot.services
  const tokenless = [{ ...event, bot: { ...event.bot, services: [{ ...service, token: '' }] } }]
  assert.deepEqual(changed.bots, { owner: tokenless, ada: tokenless, iris: [event] })
  assert.deepEqual(service, { base_url: 'https://example.com/b', interface: 1, token: service?.token })
  assert.match(service?.token ?? '', /^\w{32}$/)
})

test('configuring an incoming webhook emits no event', async () => {
  const hook = await makeBot(world, iris, 'hook', { bot_type: 2 })
  const config_data = { webhook_secret: 'hush' }
  const { bots } = await collectBotEvents(() => iris.bots.update({ bot_id: hook.user_id, config_data }))
  assert.deepEqual(bots, {})
})

test('a bot that gets another owner disappears for the old owner and appears for the new one', async () => {
  const moved = await makeBot(world, iris, 'moved', { bot_type: 2 })
  const { user_id } = moved
  const { bots, order } = await collectBotEvents(() =>
    ada.bots.update({ bot_id: user_id, bot_owner_id: otto.user_id }),
  )

  const changed = [{ type: 'realm_bot', op: 'update', bot: { user_id, owner_id: otto.user_id } }]
  const [{ bot }] = bots.otto as [{ bot: { api_key: string; owner_id: number } }]
  const { api_key } = (await otto.bots.list()).bots.find(({ username }) => username === moved.email) ?? {}
  assert.deepEqual([bot.api_key, bot.owner_id], [api_key, otto.user_id])
  assert.deepEqual(bots, {
    owner: changed,
    ada: changed,
    iris: [{ type: 'realm_bot', op: 'delete', bot: { user_id } }],
    otto: [{ type: 'realm_bot', op: 'add', bot }],
  })
  for (const name of ['gus', 'steward', 'robin']) assert.deepEqual(order[name], ['realm_user update'], name)
})

test('administrators who give away or receive a bot only lose or gain its key', async () => {
  const { user_id, email } = await makeBot(world, iris, 'commuter')
  const give = (to: Person) =>
    collectBotEvents(() => owner.bots.update({ bot_id: user_id, bot_owner_id: to.user_id }))
  const changed = (change: object) => ({ type: 'realm_bot', op: 'update', bot: { user_id, ...change } })
  const owned = ({ user_id: owner_id }: Person) => changed({ owner_id })
  const keyOf = async (person: Person) => {
    const { bots } = await person.bots.list()
    return changed({ api_key: bots.find(({ username }) => username === email)?.api_key })
  }

  const up = await give(ada)
  assert.deepEqual(up.bots, {
    owner: [owned(ada)],
    ada: [owned(ada), await keyOf(ada)],
    iris: [{ type: 'realm_bot', op: 'delete', bot: { user_id } }],
  })
  const across = await give(owner)
  assert.deepEqual(across.bots, {
    owner: [owned(owner), await keyOf(owner)],
    ada: [changed({ api_key: '' }), owned(owner)],
  })
  const down = await give(otto)
  assert.deepEqual(Object.keys(down.bots), ['owner', 'ada', 'otto'])
  assert.deepEqual((await give(otto)).bots, {})
})

test('deactivating and reactivating a bot emits remove and add', async () => {
  const lark = await makeBot(world, iris, 'lark')
  const { user_id } = lark
  const removed = [{ type: 'realm_bot', op: 'remove', bot: { user_id, full_name: 'lark Bot' } }]

  const ended = await collectBotEvents(() => iris.bots.deactivate({ bot_id: user_id }))
  assert.deepEqual(ended.bots, watchers(removed))
  assert.deepEqual(ended.order.otto, ['realm_user remove'])
  assert.deepEqual(await collectBotEvents(() => iris.bots.deactivate({ bot_id: user_id }), { iris }), {
    bots: {},
    order: { iris: [] },
  })

  const back = await collectBotEvents(() => iris.users.reactivate({ user_id }))
  const [{ op, bot }] = back.bots.iris as [{ op: string; bot: { api_key: string; is_active: boolean } }]
  assert.deepEqual([op, bot.api_key, bot.is_active], ['add', lark.api_key, true])
  const keyless = [{ type: 'realm_bot', op: 'add', bot: { ...bot, api_key: '' } }]
  assert.deepEqual(back.bots, { owner: keyless, ada: keyless, iris: back.bots.iris })
  assert.deepEqual(back.order.iris, ['realm_user add', 'realm_bot add'])

  const collected = await collectBotEvents(() => lark.users.deactivateMe())
  assert.deepEqual(collected.bots, watchers(removed))
})

test('deactivating an owner emits the removal of their bots', async () => {
  const rosa = await world.person('rosa')
  await makeBot(world, rosa, 'thorn')
  const { bots, order } = await collectBotEvents(() => owner.users.deactivate({ user_id: rosa.user_id }))

  assert.deepEqual(Object.keys(bots), ['owner', 'ada'])
  assert.deepEqual(order.ada, ['realm_user remove', 'realm_user remove', 'realm_bot remove'])
})

test('renaming or archiving a stream emits an update of the bots that have it as a default', async () => {
  const pond = await world.stream('pond', { by: otto, invite_only: true })
  const lily = await makeBot(world, otto, 'lily', {
    default_sending_stream: 'pond',
    default_events_register_stream: 'pond',
  })
  const { user_id } = lily
  const nameEvents = (name: string | null) => [
    { type: 'realm_bot', op: 'update', bot: { user_id, default_sending_stream: name } },
    { type: 'realm_bot', op: 'update', bot: { user_id, default_events_register_stream: name } },
  ]
  const toOtto = (events: object[]) => ({ owner: events, ada: events, otto: events })

  const renamed = await collectBotEvents(() => owner.streams.update({ ...pond, new_name: 'lake' }))
  assert.deepEqual(renamed.bots, toOtto(nameEvents('lake')))
  const archived = await collectBotEvents(() => owner.streams.archive(pond))
  assert.deepEqual(archived.bots, toOtto(nameEvents(null)))
})

test('a former owner who polls late gets only the key that the bot had during the ownership', async () => {
  const late = await openQueue(iris, types)
  const owl = await makeBot(world, iris, 'owl')
  const { user_id: owlId } = owl
  await owner.bots.update({ bot_id: owlId, bot_owner_id: otto.user_id })
  const { api_key } = await otto.bots.regenerateApiKey({ bot_id: owlId })
  await world.settled()

  const events = JSON.stringify(await late.rest('b'))

  assert.ok(events.includes(owl.api_key) && !events.includes(api_key))
})
