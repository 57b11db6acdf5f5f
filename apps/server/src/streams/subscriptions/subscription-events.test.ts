import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { collectEventSummaries, collectEvents } from '@oxbow/testkit/calls/events'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, cleo] = await world.people('iris', 'otto', 'cleo')
const ada = await world.person('ada', 'administrator')
/** A guest without subscriptions. */
const gus = await world.person('gus', 'guest')
const gwen = await world.person('gwen', 'guest')
const robin = await world.bot('robin', cleo)
const cast = { owner, ada, iris, otto, cleo, robin, gus, gwen }

const to = (change: () => Promise<unknown>) => collectEventSummaries(world, cast, change)
const named = (...names: string[]) => names.map((name) => ({ name }))
const ids = (...people: Person[]) => people.map(({ user_id }) => user_id)
/** Maps each of these names to the same events. */
const eventsForEach = (names: string, ...events: string[]) =>
  Object.fromEntries(names.split(' ').map((name) => [name, events]))

test('creating a public stream emits the stream and then its subscribers to all users except guests', async () => {
  const got = await to(() =>
    iris.subscriptions.subscribe({
      subscriptions: named('plans'),
      principals: ids(iris, otto),
      announce: true,
    }),
  )

  const made = ['stream create plans', 'stream occupy plans']
  assert.deepEqual(got, {
    ...eventsForEach('owner ada cleo robin', ...made, 'peer_add plans iris', 'peer_add plans otto'),
    ...eventsForEach('iris otto', ...made, 'add plans'),
  })
})

test('a new subscriber gets an event with the stream and all its subscribers', async () => {
  const subscriptions = [{ name: 'atlas', description: 'Maps', color: '#abc' }]
  const subscribe = () => iris.subscriptions.subscribe({ subscriptions, principals: ids(iris, otto) })

  const { iris: events = [] } = await collectEvents(world, { iris }, subscribe)

  const add = events.at(-1)
  const { stream_id } = await iris.streams.getId({ stream: 'atlas' })
  assert.deepEqual(add, {
    id: add?.id,
    type: 'subscription',
    op: 'add',
    subscriptions: [
      {
        stream_id,
        name: 'atlas',
        description: 'Maps',
        rendered_description: '<p>Maps</p>',
        invite_only: false,
        is_web_public: false,
        stream_post_policy: 1,
        history_public_to_subscribers: true,
        first_message_id: null,
        message_retention_days: null,
        is_announcement_only: false,
        folder_id: null,
        color: '#abc',
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        // Clients that support null settings get null; a test below covers them.
        desktop_notifications: false,
        audible_notifications: false,
        push_notifications: false,
        email_notifications: false,
        wildcard_mentions_notify: true,
        stream_weekly_traffic: null,
        email_address: '',
        subscribers: ids(iris, otto),
      },
    ],
  })
  await iris.subscriptions.unsubscribe({ subscriptions: ['atlas'] })
  const registration = { client_capabilities: { notification_settings_null: true } }
  const { iris: again = [] } = await collectEvents(world, { iris }, subscribe, registration)
  const [back] = again
  assert.ok(back?.type === 'subscription' && back.op === 'add')
  const { desktop_notifications, wildcard_mentions_notify, subscribers } = back.subscriptions[0] ?? {}
  assert.deepEqual([desktop_notifications, wildcard_mentions_notify], [null, null])
  assert.deepEqual(subscribers, ids(iris, otto))
})

test('creating a private stream emits it to administrators and its subscribers', async () => {
  const got = await to(() =>
    otto.subscriptions.subscribe({
      subscriptions: named('cave'),
      principals: ids(otto, gwen, ada),
      invite_only: true,
    }),
  )

  assert.deepEqual(got, {
    owner: ['stream create cave', 'peer_add cave otto', 'peer_add cave gwen', 'peer_add cave ada'],
    ada: ['stream create cave', 'add cave'],
    ...eventsForEach('otto gwen', 'stream create cave', 'add cave'),
  })

  const later = await to(() =>
    otto.subscriptions.subscribe({ subscriptions: named('cave'), principals: ids(cleo, otto, robin) }),
  )
  assert.deepEqual(later, {
    ...eventsForEach('owner ada otto gwen', 'peer_add cave cleo', 'peer_add cave robin'),
    ...eventsForEach('cleo robin', 'stream create cave', 'add cave'),
  })
})

test('a new subscription to a public stream is emitted to its subscribers and to all users except guests', async () => {
  await world.stream('lawn', { members: [iris, gwen] })

  const got = await to(() =>
    cleo.subscriptions.subscribe({ subscriptions: named('lawn'), principals: ids(cleo, gus) }),
  )

  assert.deepEqual(got, {
    ...eventsForEach('owner ada iris otto robin gwen', 'peer_add lawn cleo', 'peer_add lawn gus'),
    ...eventsForEach('cleo gus', 'add lawn'),
  })
})

test('subscribing to several streams sends one event to the user and one per stream to others', async () => {
  await world.stream('east', { members: [otto] })
  await world.stream('west', { members: [iris] })
  await iris.subscriptions.unsubscribe({ subscriptions: ['west'] })

  const got = await to(() =>
    otto.subscriptions.subscribe({
      subscriptions: named('east', 'west', 'north'),
      principals: ids(iris, otto),
    }),
  )

  const made = ['stream create north', 'stream occupy west, north']
  assert.deepEqual(got, {
    ...eventsForEach(
      'owner ada cleo robin',
      ...made,
      'peer_add east iris',
      'peer_add west iris',
      'peer_add west otto',
      'peer_add north iris',
      'peer_add north otto',
    ),
    iris: [...made, 'add east, west, north'],
    // Otto was already subscribed to `east`, so he gets an event about its new subscriber.
    otto: [...made, 'add west, north', 'peer_add east iris'],
  })
})

test('a guest subscribed to an empty public stream gets the occupy event', async () => {
  await world.stream('arbor', { members: [iris] })
  await iris.subscriptions.unsubscribe({ subscriptions: ['arbor'] })

  const got = await to(() =>
    iris.subscriptions.subscribe({ subscriptions: named('arbor'), principals: ids(gus) }),
  )

  assert.deepEqual(got, {
    ...eventsForEach('owner ada iris otto cleo robin', 'stream occupy arbor', 'peer_add arbor gus'),
    gus: ['stream occupy arbor', 'add arbor'],
  })
})

test('leaving public streams sends one event to the user, one per stream to others, and then the vacate event', async () => {
  await world.stream('hall', { members: [iris, gwen] })
  await world.stream('loft', { members: [iris] })
  await world.stream('shed', { members: [otto] })

  const got = await to(() =>
    owner.subscriptions.unsubscribe({
      subscriptions: ['hall', 'loft', 'shed'],
      principals: ids(iris, otto),
    }),
  )

  const hall = 'peer_remove hall iris'
  const empty = 'stream vacate loft, shed'
  const rest = ['peer_remove loft iris', 'peer_remove shed otto']
  assert.deepEqual(got, {
    ...eventsForEach('owner ada cleo robin', hall, ...rest, empty),
    iris: ['remove hall, loft', 'peer_remove shed otto', empty],
    otto: ['remove shed', hall, 'peer_remove loft iris', empty],
    gwen: [hall],
  })
})

test("users unsubscribed together get each other's peer_remove events if they may still see the subscribers", async () => {
  await world.stream('barn', { members: [iris, otto, gwen, cleo] })
  await world.stream('crypt', { members: [owner, iris, ada, gwen], invite_only: true })

  await expectSameState(world, cast, () =>
    owner.subscriptions.unsubscribe({ subscriptions: ['barn'], principals: ids(iris, otto, gwen) }),
  )
  // An administrator may still see the subscribers.
  await expectSameState(world, cast, () =>
    owner.subscriptions.unsubscribe({ subscriptions: ['crypt'], principals: ids(iris, ada, gwen) }),
  )
})

test('leaving a private stream emits peer_remove to the remaining subscribers and administrators', async () => {
  await world.stream('den', { members: [iris, otto, gwen], invite_only: true })

  const got = await to(() => otto.subscriptions.unsubscribe({ subscriptions: ['den'] }))

  assert.deepEqual(got, {
    ...eventsForEach('owner ada iris gwen', 'peer_remove den otto'),
    otto: ['remove den'],
  })
})

test('the last subscriber who leaves a private stream causes events that the stream is deleted', async () => {
  await world.stream('nest', { members: [iris, otto], invite_only: true })
  await otto.subscriptions.unsubscribe({ subscriptions: ['nest'] })

  const got = await to(() => iris.subscriptions.unsubscribe({ subscriptions: ['nest'] }))

  assert.deepEqual(got, {
    // The stream was renamed before this event, because it is archived.
    ...eventsForEach('owner ada', 'peer_remove !DEACTIVATED:nest iris', 'stream delete nest'),
    iris: ['remove nest', 'stream delete nest'],
    // Otto saw the stream in his list of unsubscribed streams.
    otto: ['stream delete nest'],
  })
})

test('requests that change nothing or are refused emit no events', async () => {
  await world.stream('calm', { members: [iris] })
  await world.stream('quiet', { members: [owner], invite_only: true })
  const refused = (work: Promise<unknown>) => assert.rejects(work)

  const got = await to(async () => {
    await iris.subscriptions.subscribe({ subscriptions: named('calm') })
    await otto.subscriptions.unsubscribe({ subscriptions: ['calm'] })
    await refused(iris.subscriptions.subscribe({ subscriptions: named('brand new', 'quiet') }))
    await refused(iris.subscriptions.change({ add: named('brand new'), delete: ['nowhere'] }))
    await refused(iris.subscriptions.unsubscribe({ subscriptions: ['calm', 'nowhere'] }))
  })

  assert.deepEqual(got, {})
})
