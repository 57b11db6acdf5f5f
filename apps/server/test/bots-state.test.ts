import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role, type UserId } from '@oxbow/contract'
import { expectSameState, type Person, pngOf, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { makeEmbeddedBot } from '../src/people/users/bots/test/make-embedded-bot.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const robin = await makeBot(world, iris, 'robin')
const steward = await makeBot(world, owner, 'steward')
await owner.users.update({ user_id: steward.user_id, role: Role.administrator })
const everyone = { owner, ada, iris, otto, gus, robin, steward }
const files = [{ name: 'a.png', bytes: pngOf(4, 4) }]

const changeRole = ({ user_id }: Person, role: Role) => owner.users.update({ user_id, role })
const checkState = (change: () => Promise<unknown>) =>
  expectSameState(world, everyone, change, { mayDefer: true })
const bot_id = robin.user_id
/** A bot whose state is not compared, because each change of its owner gives it a new API key. */
const wanderer = await makeBot(world, iris, 'wanderer')
const giveWandererTo = (to: Person) => ada.bots.update({ bot_id: wanderer.user_id, bot_owner_id: to.user_id })

const stories: Record<string, () => Promise<unknown>> = {
  'bots of all types are created': async () => {
    await world.stream('garden', { by: iris })
    await world.stream('shed', { by: otto, members: [otto], invite_only: true })
    await makeBot(world, iris, 'generic', { files, default_sending_stream: 'garden' })
    await makeBot(world, otto, 'hook', {
      bot_type: 2,
      service_name: 'github',
      default_sending_stream: 'shed',
    })
    await makeBot(world, ada, 'caller', { bot_type: 3, payload_url: 'https://example.com/x' })
    await makeEmbeddedBot(world, owner, 'helper', { a: 'b' })
  },
  'a bot gets another name, by its owner and by an administrator': async () => {
    await iris.bots.update({ bot_id, full_name: 'Robin A' })
    await owner.users.update({ user_id: bot_id, full_name: 'Robin B' })
  },
  'a bot gets another picture': async () => {
    await iris.bots.update({ bot_id, files })
    await robin.users.setAvatar({ files })
  },
  'the defaults of a bot change': () =>
    iris.bots.update({
      bot_id,
      default_sending_stream: 'garden',
      default_events_register_stream: 'garden',
      default_all_public_streams: true,
    }),
  'the default stream of a bot is renamed': async () => {
    const { stream_id } = await iris.streams.getId({ stream: 'garden' })
    await owner.streams.update({ stream_id, new_name: 'orchard' })
  },
  'a private stream of a bot becomes public, and gets another name': async () => {
    const { stream_id } = await otto.streams.getId({ stream: 'shed' })
    await owner.subscriptions.subscribe({ subscriptions: [{ name: 'x' }] })
    await otto.subscriptions.subscribe({ subscriptions: [{ name: 'shed' }], principals: [ada.user_id] })
    await ada.streams.update({ stream_id, is_private: false })
    await ada.streams.update({ stream_id, new_name: 'barn' })
  },
  'the default stream of a bot is archived': async () => {
    const { stream_id } = await iris.streams.getId({ stream: 'orchard' })
    await owner.streams.archive({ stream_id })
  },
  'a bot is given to another member': () => giveWandererTo(otto),
  'a bot is given to an administrator': () => giveWandererTo(ada),
  'a bot is given from one administrator to another': () => giveWandererTo(owner),
  'a bot is given back to a member': () => giveWandererTo(iris),
  'services of bots change': async () => {
    for (const { user_id } of await findBots('caller'))
      await owner.bots.update({ bot_id: user_id, service_interface: 2 })
    for (const { user_id } of await findBots('helper'))
      await owner.bots.update({ bot_id: user_id, config_data: { c: 'd' } })
  },
  'a bot gets another key': async () => {
    for (const { user_id } of await findBots('hook', 'caller'))
      await owner.bots.regenerateApiKey({ bot_id: user_id })
  },
  'an administrator becomes a member': () => changeRole(ada, Role.member),
  'a member who owns bots becomes an administrator': () => changeRole(otto, Role.administrator),
  'an administrator becomes an owner': () => changeRole(otto, Role.owner),
  'an owner becomes a guest': () => changeRole(otto, Role.guest),
  'a guest becomes a member and then an administrator': async () => {
    await changeRole(otto, Role.member)
    await changeRole(otto, Role.administrator)
  },
  'a bot becomes an administrator, and another one a member': async () => {
    await changeRole(iris, Role.administrator)
    await changeRole(robin, Role.administrator)
    await changeRole(steward, Role.member)
  },
  'a bot loses its role together with its owner': () => changeRole(iris, Role.member),
  'bots are deactivated, one of them twice': async () => {
    for (const { user_id } of await findBots('generic', 'hook')) {
      await owner.bots.deactivate({ bot_id: user_id })
      await owner.bots.deactivate({ bot_id: user_id })
    }
  },
  'a deactivated bot changes': async () => {
    for (const { user_id } of await findBots('generic'))
      await owner.bots.update({ bot_id: user_id, full_name: 'Gone', bot_owner_id: otto.user_id })
  },
  'deactivated bots are reactivated': async () => {
    for (const { user_id } of await findBots('generic', 'hook')) await owner.users.reactivate({ user_id })
  },
  'an owner of bots is deactivated': async () => {
    const leaver = await world.person('leaver')
    await makeBot(world, leaver, 'left')
    await owner.users.deactivate({ user_id: leaver.user_id })
    await owner.users.reactivate({ user_id: leaver.user_id })
  },
  'conflicting changes of a bot are made concurrently': () => changeConcurrently(),
}

for (const [story, makeChange] of Object.entries(stories))
  test(story, async () => void (await checkState(makeChange)))

test('a user who becomes an administrator of an organization with many bots receives all bots', async () => {
  const bots = await world.database.query<{ id: number }>(
    `with account as (
       insert into user_account
         (organization_id, delivery_email, full_name, role, bot_type, bot_owner_id, api_key_hash, api_key_sealed)
       select $1, 'gnome' || n || '-bot@localhost', 'Gnome ' || n, 400, 1, $2, sha256(n::text::bytea), ''
       from generate_series(1, 450) n returning organization_id, id)
     insert into user_setting (organization_id, user_id) select organization_id, id from account returning user_id as id`,
    [world.organization_id, iris.user_id],
  )
  const { secrets } = world.nodes.a.app
  await world.database.query(
    `update user_account set api_key_sealed = sealed
     from unnest($1::bigint[], $2::bytea[]) as given (bot, sealed) where id = bot`,
    [
      bots.map(({ id }) => id),
      bots.map(({ id }) => secrets.seal('x'.repeat(32), ['api key', world.organization_id, id])),
    ],
  )
  const mia = await world.person('mia')
  const watching = { mia, iris }

  const up = await expectSameState(world, watching, () => changeRole(mia, Role.administrator))
  const down = await expectSameState(world, watching, () => changeRole(mia, Role.member))

  const count = (events: readonly { type: string }[] = []) =>
    events.filter(({ type }) => type === 'realm_bot').length
  assert.ok(count(up.mia) > 450 && count(up.mia) === count(down.mia))
  assert.equal(count(up.iris), 0)
})

async function findBots(...names: string[]): Promise<{ user_id: UserId }[]> {
  const { realm_bots = [] } = await owner.events.register({ fetch_event_types: ['realm_bot'] })
  const emails = names.map((name) => `${name}-bot@localhost`)
  return realm_bots.filter(({ email }) => emails.includes(email))
}

/** Makes concurrent changes that conflict with each other, so that some are refused. */
async function changeConcurrently(): Promise<void> {
  const lake = await world.stream('lake', { by: iris })
  // The state of this bot is not compared, because deactivation invalidates its key and ends its queues.
  const { user_id: bot_id } = await makeBot(world, iris, 'busy')
  const rounds = [1, 2, 3].flatMap((round) => [
    iris.on('a').bots.update({ bot_id, full_name: `Robin ${round}`, default_sending_stream: 'lake' }),
    owner.on('b').bots.update({ bot_id, default_sending_stream: '', full_name: `Bobin ${round}` }),
    owner.on('a').streams.update({ ...lake, new_name: `lake ${round}` }),
    owner.on('b').bots.update({ bot_id, bot_owner_id: round === 2 ? otto.user_id : iris.user_id }),
    changeRole(otto, round === 2 ? Role.member : Role.administrator),
    changeRole(iris, round === 2 ? Role.administrator : Role.member),
    owner.on('b').bots.regenerateApiKey({ bot_id }),
    owner.on('a').bots.deactivate({ bot_id }),
    owner.on('b').users.reactivate({ user_id: bot_id }),
    makeBot(world, iris, `many${round}`, { default_sending_stream: 'lake' }),
    iris.on('b').bots.update({ bot_id, default_events_register_stream: `lake ${round}` }),
  ])
  const results = await Promise.allSettled(rounds)
  assert.ok(results.filter(({ status }) => status === 'fulfilled').length > 15)
  await Promise.allSettled([
    owner.streams.archive(lake),
    iris.on('b').bots.update({ bot_id, default_sending_stream: 'lake 3' }),
  ])
}
