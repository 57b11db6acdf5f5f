import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld({ config: { email_gateway_pattern: '%s@mail.example' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('Garden Würz', { members: [iris, gus, otto], description: 'Green' })
const den = await world.stream('den', { members: [iris, otto, gus], invite_only: true })
await world.stream('Pond', { members: [otto] })

const find = async (person: Person, name: string, params: { include_subscribers?: boolean } = {}) =>
  (await person.on('b').subscriptions.list(params)).subscriptions.find(
    (subscription) => subscription.name === name,
  )

test('a subscription has all fields of the stream and all personal settings', async () => {
  const found = await find(iris, garden.name)

  assert.match(found?.email_address ?? '', /^garden-wurz\.[0-9a-f]{32}\.show-sender@mail\.example$/)
  assert.deepEqual(found, {
    stream_id: garden.stream_id,
    name: 'Garden Würz',
    description: 'Green',
    rendered_description: '<p>Green</p>',
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 1,
    history_public_to_subscribers: true,
    first_message_id: null,
    message_retention_days: null,
    is_announcement_only: false,
    folder_id: null,
    color: '#76ce90',
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
    stream_weekly_traffic: null,
    email_address: found?.email_address,
  })
})

test('subscriptions are listed in code point order of the names, without former subscriptions and archived streams', async () => {
  for (const name of ['b', 'C', 'ß', '😀', 'Ａ'])
    await otto.subscriptions.subscribe({ subscriptions: [{ name }] })
  await otto.subscriptions.unsubscribe({ subscriptions: ['b'] })
  const gone = await world.stream('gone', { members: [otto, owner] })
  await owner.streams.archive(gone)

  const { subscriptions } = await otto.subscriptions.list()

  assert.deepEqual(
    subscriptions.map(({ name }) => name),
    ['C', 'Garden Würz', 'Pond', 'den', 'ß', 'Ａ', '😀'],
  )
})

test('include_subscribers lists the ids of active subscribers', async () => {
  const gone = await world.person('leaver')
  await iris.subscriptions.subscribe({
    subscriptions: [garden, den].map(({ name }) => ({ name })),
    principals: [gone.user_id],
  })
  await owner.users.deactivate({ user_id: gone.user_id })
  const everyone = [iris.user_id, otto.user_id, gus.user_id]

  assert.ok(!('subscribers' in ((await find(iris, 'den', { include_subscribers: false })) ?? {})))
  for (const person of [iris, gus])
    for (const name of [garden.name, 'den'])
      assert.deepEqual((await find(person, name, { include_subscribers: true }))?.subscribers, everyone)

  await owner.users.reactivate({ user_id: gone.user_id })
  assert.deepEqual((await find(iris, 'den', { include_subscribers: true }))?.subscribers, [
    ...everyone,
    gone.user_id,
  ])
  await owner.users.deactivate({ user_id: gone.user_id })
})

test('unset subscription settings are null in GET /users/me/subscriptions and have the inherited value in the state of older clients', async () => {
  await world.database.query(
    `update user_setting set enable_stream_push_notifications = true, wildcard_mentions_notify = false where user_id = $1`,
    [iris.user_id],
  )
  const { stream_id } = den
  await iris.subscriptions.setProperties({
    subscription_data: [{ stream_id, property: 'email_notifications', value: true }],
  })
  const settings = (list: readonly object[] | undefined) => {
    const found = list?.find(
      (subscription) => 'name' in subscription && subscription.name === 'den',
    ) as Record<string, unknown>
    const { desktop_notifications, push_notifications, email_notifications, wildcard_mentions_notify } = found
    return [desktop_notifications, push_notifications, email_notifications, wildcard_mentions_notify]
  }
  const register = (notification_settings_null: boolean) =>
    iris.events.register({
      fetch_event_types: ['subscription'],
      client_capabilities: { notification_settings_null },
    })

  assert.deepEqual(settings((await iris.subscriptions.list()).subscriptions), [null, null, true, null])
  assert.deepEqual(settings((await register(true)).subscriptions), [null, null, true, null])
  assert.deepEqual(settings((await register(false)).subscriptions), [false, true, true, false])
})

test('the state lists subscribed, unsubscribed and never subscribed streams', async () => {
  const { unsubscribed = [], never_subscribed = [] } = await (async () => {
    await iris.subscriptions.unsubscribe({ subscriptions: [den.name] })
    return iris.events.register({ fetch_event_types: ['subscription'], include_subscribers: true })
  })()

  const unsubscribedStream = unsubscribed.find(({ stream_id }) => stream_id === den.stream_id)
  assert.match(unsubscribedStream?.email_address ?? '', /^den\./)
  // Only subscribers see who is subscribed to a private stream.
  assert.ok(unsubscribedStream && !('subscribers' in unsubscribedStream))
  const pond = never_subscribed.find(({ name }) => name === 'Pond')
  assert.deepEqual(pond?.subscribers, [otto.user_id])
  assert.ok(pond && !('email_address' in pond) && !('color' in pond))
  const { never_subscribed: unseen } = await gus.events.register({ fetch_event_types: ['subscription'] })
  assert.deepEqual(unseen, [])
})

test('email_address is empty without a mail gateway', async () => {
  await using plain = await startWorld()
  await plain.stream('garden')

  const { subscriptions } = await plain.owner.subscriptions.list()

  assert.equal(subscriptions[0]?.email_address, '')
})

test('include_subscribers must be a JSON boolean', async () => {
  const list = (include_subscribers: string) =>
    call(world, iris, 'GET /users/me/subscriptions', { include_subscribers })
  assert.deepEqual(await list('1'), refusal('include_subscribers is not a boolean'))
  assert.deepEqual(await list('yes'), refusal('Argument "include_subscribers" is not valid JSON.'))
})
