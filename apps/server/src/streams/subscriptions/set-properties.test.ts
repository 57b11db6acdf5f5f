import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StreamId } from '@oxbow/contract'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, gus] })
const pond = await world.stream('pond', { members: [iris] })
const vault = await world.stream('vault', { members: [otto], invite_only: true })
const { stream_id } = garden

type Change = [property: string, value: string | boolean | null, stream_id?: StreamId]
const set = (person: Person, ...changes: Change[]) =>
  person.subscriptions.setProperties({
    subscription_data: changes.map(([property, value, id = stream_id]) => ({
      stream_id: id,
      property,
      value,
    })),
  })
const own = async (person: Person, id: StreamId = stream_id) =>
  (await person.on('b').subscriptions.list()).subscriptions.find(
    (subscription) => subscription.stream_id === id,
  )

const flags = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

for (const property of flags) {
  test(`setting ${property} changes the subscription and emits an event with that property`, async () => {
    for (const value of [true, false]) {
      const inbox = await openQueue(iris)

      const response = await set(iris, [property, value])

      assert.deepEqual(response, { subscription_data: [{ stream_id, property, value }] })
      assert.equal((await own(iris))?.[property], value)
      const [event] = await inbox.take(1)
      assert.deepEqual(event, {
        id: event?.id,
        type: 'subscription',
        op: 'update',
        stream_id,
        name: 'garden',
        email: iris.email,
        property,
        value,
      })
    }
  })
}

test('is_muted and in_home_view are one setting, sent in events as in_home_view', async () => {
  const cases: [property: string, value: boolean, muted: boolean][] = [
    ['is_muted', true, true],
    ['in_home_view', true, false],
    ['in_home_view', false, true],
    ['is_muted', false, false],
  ]
  for (const [property, value, muted] of cases) {
    const inbox = await openQueue(iris)
    assert.deepEqual((await set(iris, [property, value])).subscription_data, [{ stream_id, property, value }])

    const subscription = await own(iris)
    assert.deepEqual([subscription?.is_muted, subscription?.in_home_view], [muted, !muted])
    const [event] = await inbox.take(1)
    assert.ok(event?.type === 'subscription' && event.op === 'update')
    assert.deepEqual([event.property, event.value], ['in_home_view', !muted])
  }
})

test('null resets a notification setting to that of the account, and other settings refuse null', async () => {
  const [lily] = await world.people('lily')
  await owner.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }], principals: [lily.user_id] })
  await lily.settings.updateNotifications({ enable_stream_push_notifications: true })
  await set(lily, ['push_notifications', false])
  const older = await openQueue(lily)
  const newer = await openQueue(lily, { client_capabilities: { notification_settings_null: true } })

  await set(lily, ['push_notifications', null])

  const takeUpdate = async (inbox: typeof older) => {
    const [event] = await inbox.take(1)
    return event?.type === 'subscription' && event.op === 'update' && { ...event, id: 0 }
  }
  const event = {
    id: 0,
    type: 'subscription',
    op: 'update',
    stream_id,
    name: 'garden',
    email: lily.email,
    property: 'push_notifications',
  }
  assert.deepEqual(await takeUpdate(older), { ...event, value: true })
  assert.deepEqual(await takeUpdate(newer), { ...event, value: null })
  assert.equal((await own(lily))?.push_notifications, null)
  const state = await lily.events.register({ client_capabilities: { notification_settings_null: true } })
  assert.equal(state.subscriptions?.[0]?.push_notifications, null)
  for (const property of ['pin_to_top', 'is_muted', 'in_home_view'])
    await assert.rejects(set(lily, [property, null]), refusal(`${property} is not a boolean`))
  await assert.rejects(set(lily, ['color', null]), refusal('color is not a string'))
})

test('a colour has three to six hex digits and is stored as given', async () => {
  for (const color of ['#abc', '#ABCD', '#12345', '#a1B2c3']) {
    await set(iris, ['color', color])
    assert.equal((await own(iris))?.color, color)
  }
})

test('several properties are set in order with one event each, even if unchanged', async () => {
  await set(iris, ['color', '#111111'], ['pin_to_top', false, pond.stream_id])
  const inbox = await openQueue(iris)

  await set(iris, ['color', '#111111'], ['pin_to_top', true, pond.stream_id], ['color', '#222222'])

  assert.deepEqual(
    [(await own(iris))?.color, (await own(iris, pond.stream_id))?.pin_to_top],
    ['#222222', true],
  )
  const events = await inbox.take(3)
  assert.deepEqual(
    events.map((event) => event.type === 'subscription' && event.op === 'update' && event.value),
    ['#111111', true, '#222222'],
  )
})

test('setting a property affects and notifies only the caller', async () => {
  const inbox = await openQueue(gus)
  await set(gus, ['color', '#333333'])
  const subscription = await own(gus)
  await inbox.take(1)

  await set(iris, ['color', '#444444'], ['pin_to_top', true])

  assert.deepEqual(await own(gus), subscription)
  await world.settled()
  assert.deepEqual(await inbox.rest(), [])
})

test('a change with several errors reports the first of: property, stream, subscription, value', async () => {
  const notIn = refusal(`Not subscribed to stream id ${stream_id}`)
  const cases: [person: Person, change: Change, refused: object][] = [
    [iris, ['size', 'big', 999_999 as StreamId], refusal('Unknown subscription property: size')],
    [iris, ['constructor', true], refusal('Unknown subscription property: constructor')],
    [iris, ['<b>', true], refusal('Unknown subscription property: <b>')],
    [iris, ['color', 'red', 999_999 as StreamId], refusal('Invalid stream id')],
    [iris, ['color', 'red', vault.stream_id], refusal('Invalid stream id')],
    [owner, ['color', 'red', vault.stream_id], refusal('Invalid stream id')],
    [gus, ['color', 'red', pond.stream_id], refusal('Invalid stream id')],
    [otto, ['color', 'red'], notIn],
    [otto, ['pin_to_top', 'yes'], notIn],
    [iris, ['color', 'red'], refusal('color is not a valid hex color code')],
    [iris, ['color', '#ab'], refusal('color is not a valid hex color code')],
    [iris, ['color', true], refusal('color is not a string')],
    [iris, ['is_muted', 'true'], refusal('is_muted is not a boolean')],
    [iris, ['in_home_view', ''], refusal('in_home_view is not a boolean')],
    ...flags.map((flag): [Person, Change, object] => [
      iris,
      [flag, 'x'],
      refusal(`${flag} is not a boolean`),
    ]),
  ]
  for (const [person, change, refused] of cases)
    await assert.rejects(set(person, change), refused, String(change))
})

test('former subscribers cannot set properties of a stream', async () => {
  await world.stream('lawn', { members: [iris, otto] })
  const lawn = await iris.streams.getId({ stream: 'lawn' })
  await otto.subscriptions.unsubscribe({ subscriptions: ['lawn'] })

  await assert.rejects(
    set(otto, ['pin_to_top', true, lawn.stream_id]),
    refusal(`Not subscribed to stream id ${lawn.stream_id}`),
  )
})

test('a request with a refused property changes nothing and emits no events', async () => {
  const before = await own(iris)
  const inbox = await openQueue(iris)

  await assert.rejects(set(iris, ['color', '#999999'], ['pin_to_top', 'x']))

  assert.deepEqual(await own(iris), before)
  await world.settled()
  assert.deepEqual(await inbox.rest(), [])
})

test('invalid values are reported with name and position, and unknown fields are ignored', async () => {
  const path = 'POST /users/me/subscriptions/properties'
  const good = { stream_id, property: 'pin_to_top', value: true }
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscription_data' }
  const cases: [params: unknown, msg: string][] = [
    [good, 'subscription_data is not a list'],
    [[7], 'subscription_data[0] is not a dict'],
    [[good, { property: 'color', value: '#123' }], 'stream_id key is missing from subscription_data[1]'],
    [[{ stream_id, value: true }], 'property key is missing from subscription_data[0]'],
    [[{ stream_id, property: 'color' }], 'value key is missing from subscription_data[0]'],
    [[{ ...good, stream_id: '1' }], 'subscription_data[0]["stream_id"] is not an integer'],
    [[{ ...good, property: 1 }], 'subscription_data[0]["property"] is not a string'],
    [[{ ...good, value: 7 }], 'subscription_data[0]["value"] is not an allowed_type'],
    [[{ ...good, value: 1 }], 'subscription_data[0]["value"] is not an allowed_type'],
  ]
  for (const [params, msg] of cases)
    assert.deepEqual(
      await call(world, iris, path, { subscription_data: JSON.stringify(params) }),
      refusal(msg),
    )
  assert.deepEqual(await call(world, iris, path), refusal("Missing 'subscription_data' argument", missing))
  const more = await call(world, iris, path, { subscription_data: JSON.stringify([{ ...good, why: 'so' }]) })
  assert.deepEqual([more.status, more.body.subscription_data], [200, [good]])
})

test('the older endpoint for subscription properties sets only colours', async () => {
  const change = (property: string, value: string, id: number = stream_id) =>
    call(world, iris, `PATCH /users/me/subscriptions/${id}`, { property, value })

  const { status, body } = await change('color', '#b0b0b0')

  const subscription_data = [{ stream_id, property: 'color', value: '#b0b0b0' }]
  assert.deepEqual([status, body], [200, { result: 'success', msg: '', subscription_data }])
  assert.equal((await own(iris))?.color, '#b0b0b0')
  assert.deepEqual(await change('color', 'blue'), refusal('color is not a valid hex color code'))
  assert.deepEqual(await change('size', 'x'), refusal('Unknown subscription property: size'))
  assert.deepEqual(await change('color', '#b0b0b0', 999_999), refusal('Invalid stream id'))
  for (const property of [...flags, 'is_muted', 'in_home_view'])
    assert.deepEqual(await change(property, 'true'), refusal(`${property} is not a boolean`))
})
