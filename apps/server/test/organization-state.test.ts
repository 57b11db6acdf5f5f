import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArgumentsOf, type api, BotType, type Event } from '@oxbow/contract'
import { expectSameState, type Person, pngOf, startWorld, type World } from '@oxbow/testkit'

// Each test makes changes and asserts that states updated by events equal fresh states.

type Settings = ArgumentsOf<typeof api.organization.update>

interface Scene extends AsyncDisposable {
  world: World
  watchers: { owner: Person; administrator: Person; member: Person; guest: Person; bot: Person }
}

async function setScene(): Promise<Scene> {
  const world = await startWorld({ ownServer: true })
  const member = await world.person('mia')
  const bot = await world.bot('robin', world.owner, BotType.generic)
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  await member.users.setAvatar({ files: [{ name: 'me.png', bytes: pngOf(5, 5) }] })
  return {
    world,
    watchers: {
      owner: world.owner,
      administrator: await world.person('ada', 'administrator'),
      member,
      guest: await world.person('gus', 'guest'),
      bot,
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('after organization settings change, a state updated by events equals a fresh state for everyone', async () => {
  await using scene = await setScene()
  const { world, watchers } = scene
  const garden = await world.stream('garden', { members: [world.owner] })
  const steps: Settings[] = [
    { name: 'The Orchard', description: 'Trees.', default_language: 'de', default_code_block_language: 'c' },
    { create_stream_policy: 3, invite_to_stream_policy: 2, waiting_period_threshold: 3 },
    { create_stream_policy: 1, waiting_period_threshold: 0, resolve_topics_policy: 2 },
    { allow_message_editing: false, message_content_delete_limit_seconds: 5, mandatory_topics: true },
    { notifications_stream_id: garden.stream_id, signup_notifications_stream_id: garden.stream_id },
    { message_retention_days: 'forever', authentication_methods: { Email: true } },
    { message_retention_days: 30, digest_emails_enabled: true, digest_weekday: 0, video_chat_provider: 0 },
    { default_code_block_language: '', notifications_stream_id: -1 as never },
    { description: '', inline_image_preview: false, allow_edit_history: false, private_message_policy: 2 },
  ]
  for (const step of steps)
    await expectSameState(world, watchers, () => world.owner.on('b').organization.update(step), {
      mayDefer: true,
    })
  await expectSameState(world, watchers, () => world.owner.streams.archive(garden))
})

test('addresses are hidden, shown to administrators and shown to everyone, in every order', async () => {
  await using scene = await setScene()
  const { world, watchers } = scene
  for (const email_address_visibility of [3, 4, 3, 1, 4, 1, 3, 3, 1] as const)
    await expectSameState(world, watchers, () =>
      watchers.administrator.organization.update({ email_address_visibility }),
    )
  await expectSameState(world, watchers, async () => {
    for (const email_address_visibility of [4, 1, 3] as const)
      await world.owner.organization.update({ email_address_visibility })
  })
})

test('the events of a visibility change have the right recipients and the right order', async () => {
  await using scene = await setScene()
  const { world, watchers } = scene
  const { owner, member, guest, bot } = watchers
  const people = [owner, member, watchers.administrator, guest]
  const change = (email_address_visibility: 1 | 3 | 4) =>
    expectSameState(world, watchers, () => owner.organization.update({ email_address_visibility }), {
      registrations: [{ event_types: ['realm', 'realm_user'], fetch_event_types: ['realm', 'realm_user'] }],
    })

  const hidden = await change(3)
  const received = (events: Event[] = []) =>
    events.map((event) => (event.type === 'realm_user' && event.op === 'update' ? event.person : event.type))
  const summaries = received(hidden.member)
  assert.equal(summaries[0], 'realm')
  // Each person, including the deactivated one, has an event. Bots have none, because their addresses stay.
  assert.equal(summaries.length, 1 + people.length + 1)
  for (const { user_id } of people)
    assert.deepEqual(
      summaries.find((item) => typeof item === 'object' && item.user_id === user_id),
      {
        user_id,
        new_email: `user${user_id}@localhost`,
      },
    )
  for (const name of ['member', 'guest', 'bot'])
    assert.doesNotMatch(JSON.stringify(hidden[name]), /@(garden|root)\.example/, name)
  for (const name of ['owner', 'administrator'])
    for (const { email } of [...people, bot]) assert.ok(JSON.stringify(hidden[name]).includes(email), name)

  const nobody = await change(4)
  assert.deepEqual(received(nobody.member), ['realm'])
  assert.doesNotMatch(JSON.stringify(nobody), /@(garden|root)\.example/)

  const open = await change(1)
  for (const { user_id, email } of people)
    assert.ok(
      received(open.guest).some(
        (event) => JSON.stringify(event) === JSON.stringify({ user_id, new_email: email }),
      ),
    )
})

test('a visibility change in a large organization is written as few records', async () => {
  await using world = await startWorld({ ownServer: true })
  const { owner, organization_id } = world
  const member = await world.person('mia')
  await world.database.query(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
       select $1, 'gardener' || n || '@garden.example', 'Gardener ' || n, 400, sha256(n::text::bytea), ''
       from generate_series(1, 2600) n returning organization_id, id)
     insert into user_setting (organization_id, user_id) select organization_id, id from account`,
    [organization_id],
  )
  const records = async () => {
    await world.settled()
    const [row] = await world.database.query<{ records: number }>(
      'select sum(json_array_length(records::json))::int as records from event_batch where organization_id = $1',
      [organization_id],
    )
    return row?.records ?? 0
  }
  const before = await records()

  const { member: events = [] } = await expectSameState(world, { owner, member }, () =>
    owner.organization.update({ email_address_visibility: 3 }),
  )

  assert.equal(events.length, 1 + 2_602)
  const made = (await records()) - before
  assert.ok(made < 30, `${made} records`)
})
