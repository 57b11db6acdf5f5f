import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { eventually, type NodeName, openQueue, repeatIfSlowed, startWorld } from '@oxbow/testkit'
import {
  awaitWithinASecond,
  listenEverywhere,
  openStream,
  readEnd,
  repeatIfLate,
  waitUntilListening,
} from '@oxbow/testkit/calls/listening'
import pg from 'pg'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'
import { connectionOptions } from '../platform/database/database.ts'
import { stallStream } from './test/stalled-stream.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { nodes, owner } = world
const nodeNames: readonly NodeName[] = ['a', 'b']

test('a deactivated account gets no further events on either node, by poll or stream', () =>
  repeatIfLate(async (attempt) => {
    const iris = await world.person(`iris${attempt}`)
    const bot = await world.bot(`mower${attempt}`, iris)
    const endings = [...(await listenEverywhere(world, iris)), ...(await listenEverywhere(world, bot))]

    await owner.users.deactivate({ user_id: iris.user_id })

    const ended = { status: 401, code: 'USER_DEACTIVATED', msg: 'Account is deactivated' }
    assert.deepEqual(await awaitWithinASecond(world, endings), Array(8).fill(ended))
  }))

test('queues of a deactivated account no longer exist after its reactivation', async () => {
  const iris = await world.person('returning')
  const { queue_id } = await openQueue(iris)
  await iris.on('b').events.poll({ queue_id, dont_block: true })

  await owner.users.deactivate({ user_id: iris.user_id })
  await owner.users.reactivate({ user_id: iris.user_id })
  await world.settled()

  for (const node of nodeNames)
    await assert.rejects(iris.on(node).events.poll({ queue_id, last_event_id: -1 }), {
      message: `Bad event queue id: ${queue_id}`,
    })
})

test('a revoked key gets no further events on either node, and the new key can use the same queue', () =>
  repeatIfLate(async (attempt) => {
    const iris = await world.person(`keyed${attempt}`)
    const queue = await openQueue(iris)
    const endings = await listenEverywhere(world, iris)
    const { api_key } = await iris.users.regenerateApiKey()

    const ended = { status: 401, code: 'INVALID_API_KEY', msg: 'Invalid API key' }
    assert.deepEqual(await awaitWithinASecond(world, endings), Array(4).fill(ended))
    await emitEvents(world, makeNote('for the new key'))
    await using source = await openStream(world, { ...iris, api_key }, queue.queue_id, 'b')
    assert.equal(JSON.parse((await source.next())?.data ?? '').name, 'for the new key')
  }))

test('a regenerated API key works on a node that has not yet applied the regeneration', async () => {
  const iris = await world.person('quick')
  const { queue_id, cursor, rest } = await openQueue(iris, { event_types: ['note'] }, 'b')
  await rest()
  let last_event_id = cursor()

  for (let round = 0; round < 10; round++) {
    const { users } = createClient({ url: nodes.a.url, credentials: iris })
    Object.assign(iris, await users.regenerateApiKey())
    const { events } = createClient({ url: nodes.b.url, credentials: iris })
    const poll = events.poll({ queue_id, last_event_id })
    poll.catch(() => {})
    await world.settled()
    await emitEvents(world, makeNote(`round ${round}`))

    const received = (await poll).events
    assert.deepEqual(namesOf(received), [`round ${round}`])
    last_event_id = received[0]?.id ?? last_event_id
  }
})

test('a key that is replaced while its queue is being loaded gets no events', {
  timeout: 120_000,
}, async () => {
  const replaceDuringLoad = async (number: number) => {
    const iris = await world.person(`late${number}`)
    const [polled, streamed] = [await openQueue(iris), await openQueue(iris)]
    // The key is cached on node b, and node b's query of the account is blocked.
    await iris.on('b').users.me()
    await using client = await connect()
    await client.query('begin; lock table subscription_period')
    const poll = polled.poll({}, 'b').then(
      (events) => events,
      ({ status, body }) => ({ status, code: body.code, msg: body.msg }),
    )
    const source = openStream(world, iris, streamed.queue_id, 'b')
    source.catch(() => {})
    await eventually(async () => {
      const waiting = await world.database.query(
        `select from pg_locks where not granted and relation = 'subscription_period'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      )
      return waiting.length > 0
    })

    await iris.users.regenerateApiKey()
    await world.settled()
    await client.query('commit')

    const ended = { status: 401, code: 'INVALID_API_KEY', msg: 'Invalid API key' }
    assert.deepEqual(await awaitWithinASecond(world, [poll, readEnd(await source)]), [ended, ended])
  }

  let count = 0
  // Statements of node b wait at most 15 seconds for the lock.
  await repeatIfSlowed(world.database, 2_000, () => repeatIfLate(() => replaceDuringLoad(count++)))
})

test('an account still gets events after another account was deactivated and a key was replaced', async () => {
  const [iris, otto] = await world.people('leaving', 'staying')
  const queue = await openQueue(otto, { event_types: ['note'] })
  const poll = queue.poll({}, 'b')
  await waitUntilListening(world, queue.queue_id, 'b')

  await iris.users.deactivateMe()
  await owner.users.regenerateApiKey().then(({ api_key }) => Object.assign(owner, { api_key }))
  await emitEvents(world, makeNote('on'))

  assert.deepEqual(namesOf(await poll), ['on'])
})

/** A single parcel exceeds the buffer of a socket, so that the server must wait while it sends to a stalled stream. */
const parcel = 'x'.repeat(200_000)
const parcels = Array.from({ length: 10 }, (_, index) =>
  makeNote(`parcel ${index}`, { event: { type: 'note', name: `parcel ${index}`, parcel } }),
)

/** Waits until node a no longer listens for the queue, because it sends events to the open stream. */
const waitUntilSending = (queue_id: string) =>
  eventually(() =>
    [...nodes.a.app.events.log.organizations.values()].some(({ queues }) => {
      const queue = queues.get(queue_id)
      return queue?.openStreamCount === 1 && !queue.listener
    }),
  )

test('a stream whose client does not read still ends when the key is revoked', async () => {
  const iris = await world.person('slow')
  const { queue_id } = await openQueue(iris, { event_types: ['note'] })
  const { source, resume } = await stallStream(queue_id, () => openStream(world, iris, queue_id, 'a'))
  await using _ = source
  await waitUntilListening(world, queue_id, 'a')
  await emitEvents(world, ...parcels)
  await world.settled()
  await waitUntilSending(queue_id)

  await iris.users.regenerateApiKey()
  await emitEvents(world, makeNote('not for an old key'))
  await world.settled()

  resume()
  const received: unknown[] = []
  for (let event = await source.next(); event && event.type !== 'error'; event = await source.next())
    received.push(JSON.parse(event.data ?? '{}').name)
  assert.ok(!received.includes('not for an old key'))
})

test('a stream whose client does not read ends when a poll replaces it, and the poll gets all events', async () => {
  const iris = await world.person('torn')
  const queue = await openQueue(iris, { event_types: ['note'] })
  const { source, resume } = await stallStream(queue.queue_id, () =>
    openStream(world, iris, queue.queue_id, 'a'),
  )
  await using _ = source
  await waitUntilListening(world, queue.queue_id, 'a')
  await emitEvents(world, ...parcels)
  await world.settled()
  await waitUntilSending(queue.queue_id)
  await queue.take(parcels.length)
  const poll = queue.poll()
  await waitUntilListening(world, queue.queue_id, 'a')

  resume()
  for (let event = await source.next(); event; event = await source.next())
    if (event.data?.includes(`parcel ${parcels.length - 1}`)) break
  await emitEvents(world, makeNote('for the poll'))

  assert.deepEqual(namesOf(await poll), ['for the poll'])
})

async function connect(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(connectionOptions(world.database.url))
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
