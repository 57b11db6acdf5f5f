import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { expectSameState, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')

const garden = await world.stream('garden', { members: [owner, iris, gus] })
const pond = await world.stream('pond', { members: [iris, owner] })
const left = await world.stream('left', { members: [iris, owner, gus] })
await world.stream('elsewhere', { members: [owner] })
const gone = await world.stream('gone', { members: [iris] })
await iris.subscriptions.unsubscribe({ subscriptions: ['left'] })
await owner.streams.archive({ stream_id: gone.stream_id })

const knowingNull = { client_capabilities: { notification_settings_null: true } }
const registrations = [{}, { include_subscribers: true }, knowingNull]
const all = (on: boolean) => ({
  enable_stream_desktop_notifications: on,
  enable_stream_email_notifications: on,
  enable_stream_push_notifications: on,
  enable_stream_audible_notifications: on,
  wildcard_mentions_notify: !on,
})
const updates = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'subscription' && event.op === 'update'
      ? [[event.name, event.property, event.value, event.email]]
      : [],
  )

test('clients that do not support null settings get one event per stream that inherits a changed setting', async () => {
  await iris.subscriptions.setProperties({
    subscription_data: [{ stream_id: pond.stream_id, property: 'push_notifications', value: false }],
  })
  const [plain, knowing] = [
    await openQueue(iris),
    await openQueue(iris, { ...knowingNull, event_types: ['subscription', 'update_global_notifications'] }),
  ]

  await iris.settings.updateNotifications({ enable_stream_push_notifications: true })

  const events = await plain.take(3)
  assert.equal(events[0]?.type, 'update_global_notifications')
  assert.deepEqual(updates(events), [
    ['garden', 'push_notifications', true, iris.email],
    ['left', 'push_notifications', true, iris.email],
  ])
  assert.deepEqual(
    (await knowing.take(1)).map(({ type }) => type),
    ['update_global_notifications'],
  )
  await iris.settings.updateNotifications({ enable_stream_push_notifications: false })
})

test('a change of an inherited setting does not end the poll of a client that supports null settings', async () => {
  const knowing = await openQueue(iris, { ...knowingNull, event_types: ['subscription'] })
  const polled = knowing.poll()

  await iris.settings.updateNotifications({ enable_stream_email_notifications: true })
  await world.settled()

  // If the change of settings had ended the poll, the poll would not get this event.
  await iris.subscriptions.subscribe({ subscriptions: [{ name: 'another' }] })
  assert.equal((await polled)[0]?.type, 'subscription')
  await iris.settings.updateNotifications({ enable_stream_email_notifications: false })
})

test('applying the events of inherited changes gives the same state as a new snapshot', async () => {
  const everyone = { owner, iris, gus, otto, robin: await world.bot('robin', iris) }
  for (const on of [true, false])
    for (const person of [owner, iris, gus, otto])
      await expectSameState(world, everyone, () => person.settings.updateNotifications(all(on)), {
        registrations,
      })
})

test('after concurrent changes of settings and streams, events and snapshot agree', async () => {
  const flip = (person: Person, node: 'a' | 'b', on: boolean) =>
    person.on(node).settings.updateNotifications(all(on))
  const set = (value: boolean) =>
    iris.subscriptions.setProperties({
      subscription_data: [garden, pond].map(({ stream_id }) => ({
        stream_id,
        property: 'desktop_notifications',
        value,
      })),
    })
  const names = Array.from({ length: 6 }, (_, index) => `bed ${index}`)
  const join = (name: string) =>
    owner.subscriptions.subscribe({ subscriptions: [{ name }], principals: [iris.user_id, otto.user_id] })
  const leave = () => iris.subscriptions.unsubscribe({ subscriptions: ['garden'] })
  const back = () => iris.subscriptions.subscribe({ subscriptions: [{ name: 'left' }, { name: 'garden' }] })

  await expectSameState(
    world,
    { iris, otto },
    async () => {
      for (const [round, name] of names.entries())
        await Promise.all([
          flip(iris, 'a', round % 2 === 0),
          flip(iris, 'b', round % 2 === 1),
          flip(otto, 'b', round % 2 === 0),
          join(name),
          round === 1 ? set(true) : undefined,
          round === 2 ? leave() : undefined,
          round === 3 ? back() : undefined,
          round === 4 ? owner.streams.update({ stream_id: left.stream_id, new_name: 'renamed' }) : undefined,
        ])
    },
    { registrations },
  )
})

test('a user who is subscribed during a setting change gets the value at that time', async () => {
  const fern = await world.person('fern')
  const rounds = Array.from({ length: bySize({ gate: 8, long: 15 }) }, (_, index) => index)
  await expectSameState(
    world,
    { fern },
    async () => {
      for (const round of rounds)
        await Promise.all([
          fern.on('a').settings.updateNotifications({ enable_stream_desktop_notifications: round % 2 === 0 }),
          owner.on('b').subscriptions.subscribe({
            subscriptions: [{ name: `row ${round}` }],
            principals: [fern.user_id],
          }),
        ])
    },
    { registrations },
  )
})
