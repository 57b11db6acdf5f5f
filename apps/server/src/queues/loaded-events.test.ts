import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  eventually,
  type NodeName,
  openEventStream,
  openQueue,
  type Person,
  startWorld,
} from '@oxbow/testkit'
import { EventRenderer } from '../events/delivery/render.ts'
import type { EventShape, Loaded } from '../events/event-shape.ts'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'
import type { WaitingPoll } from './waiting-poll.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { nodes } = world
const [iris, otto] = await world.people('iris', 'otto')

/** Counts how often each list was loaded, by its name. Loading waits for `gate`. */
let reads: Record<string, number> = {}
let gate: Promise<unknown> = Promise.resolve()

/** An event shape for lists whose members are loaded from elsewhere. */
const lists: EventShape = {
  type: 'list',
  variant: () => '',
  load(_db, _organization, record) {
    const { name } = JSON.parse(record.event ?? '{}') as { name: string }
    if (name.startsWith('plain')) return undefined
    reads[name] = (reads[name] ?? 0) + 1
    return gate.then((): Loaded => new Map([[1, '[7,8]']]))
  },
  render: (event, _variant, loaded) =>
    event.name === 'nothing'
      ? []
      : [`{"type":"list","name":"${event.name}","members":${loaded?.get(1) ?? '[]'}}`],
}

/** Counts how often polls of both nodes asked for the data of their records. */
let requestedLoads = 0
class CountingRenderer extends EventRenderer {
  override load(...args: Parameters<EventRenderer['load']>): ReturnType<EventRenderer['load']> {
    requestedLoads++
    return super.load(...args)
  }
}

// The cache is disabled, so each poll must use the data that it has loaded itself.
for (const { app } of Object.values(nodes))
  Object.assign(app.events, { renderer: new CountingRenderer(app.db, [lists], 1) })

beforeEach(() => {
  reads = {}
  requestedLoads = 0
  gate = Promise.resolve()
})

const list = (name: string) => makeNote(name, { event: { type: 'list', name } })
const listsTo = (person: Person, node: NodeName = 'a') =>
  openQueue(person, { event_types: ['list', 'note'] }, node)
const membersOf = (events: readonly object[]) =>
  events.map((event) => (event as { members?: number[] }).members)

const queueOn = (node: NodeName, queue_id: string) =>
  nodes[node].app.events.log.organizations.get(world.organization_id as never)?.queues.get(queue_id)
const waitingOn = (queue_id: string, node: NodeName = 'a') =>
  eventually(() => queueOn(node, queue_id)?.listener as WaitingPoll | undefined)

const statusOf = (poll: Promise<unknown>) =>
  poll.then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

/** Returns whether the promise is still pending after all current work is done. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  await world.settled()
  await iris.users.me()
  return (await Promise.race([promise, Promise.resolve('pending')])) === 'pending'
}

test('polls that wait for the same list share one load per node', async () => {
  const people = [iris, otto]
  const queues = await Promise.all(
    Array.from({ length: 40 }, (_, index) => listsTo(people[index % 2] as Person)),
  )
  const elsewhere = await listsTo(otto, 'b')
  const polls = queues.map((queue) => queue.poll())
  for (const { queue_id } of queues) await waitingOn(queue_id)
  // A node wakes its polls in several turns of the event loop, and only polls that ask before the end of a load share it.
  gate = eventually(() => requestedLoads >= queues.length)

  await emitEvents(world, list('roses'))
  for (const poll of polls) assert.deepEqual(membersOf(await poll), [[7, 8]])

  assert.deepEqual(reads, { roses: 1 })
  assert.deepEqual(membersOf(await elsewhere.take(1)), [[7, 8]])
  assert.deepEqual(reads, { roses: 2 })
})

test('loaded and other events arrive in order, whether they are loaded before or during the poll', async () => {
  const [early, late] = [await listsTo(iris), await listsTo(iris)]
  const poll = early.poll()
  await waitingOn(early.queue_id)
  const received = ['plain', 'roses', 'tulips']

  await emitEvents(world, makeNote('first'), ...received.map(list), makeNote('last'))
  await world.settled()

  const expected = ['first', ...received, 'last']
  assert.deepEqual(namesOf(await poll), expected)
  for (const node of ['a', 'b'] as const) assert.deepEqual(namesOf(await late.poll({}, node)), expected)
})

for (const how of ['while the queue is polled', 'before the queue is polled'])
  test(`a list emitted ${how} fails the poll if it cannot be loaded, and the next poll gets the list`, async () => {
    const queue = await listsTo(iris)
    const early = how === 'while the queue is polled' ? queue.poll() : undefined
    if (early) await waitingOn(queue.queue_id)
    gate = Promise.reject(new Error('Connection terminated unexpectedly'))
    gate.catch(() => {})

    await emitEvents(world, list('roses'), makeNote('after'))
    if (!early) await world.settled()

    assert.equal(await statusOf(early ?? queue.poll()), 503)
    gate = Promise.resolve()
    assert.deepEqual(namesOf(await queue.take(2)), ['roses', 'after'])
  })

test('an error while loading fails only the polls that need the list', async () => {
  const [failing, other] = [await listsTo(iris), await openQueue(iris, { event_types: ['note'] })]
  const polls = [failing, other].map((queue) => queue.poll())
  for (const { queue_id } of [failing, other]) await waitingOn(queue_id)
  gate = Promise.reject(new Error('a mistake'))
  gate.catch(() => {})

  await emitEvents(world, list('roses'), makeNote('after'))

  assert.deepEqual(await Promise.all(polls.map(statusOf)), [500, 200])
})

test('heartbeats during a load skip no events, and later events arrive with the list', async () => {
  const queue = await listsTo(iris)
  const poll = queue.poll()
  const waiting = await waitingOn(queue.queue_id)
  const slow = Promise.withResolvers<void>()
  gate = slow.promise
  await emitEvents(world, list('roses'))
  await eventually(() => reads.roses)

  waiting.sendHeartbeat()
  await emitEvents(world, makeNote('later'), list('tulips'))
  await world.settled()
  waiting.sendHeartbeat()
  assert.ok(await isPending(poll))
  assert.deepEqual(reads, { roses: 1 })
  slow.resolve()

  assert.deepEqual(namesOf(await poll), ['roses', 'later', 'tulips'])
  assert.deepEqual(reads, { roses: 1, tulips: 1 })
})

test('a newer poll during a load ends the older poll and gets the list', async () => {
  const queue = await listsTo(iris)
  const older = queue.poll()
  await waitingOn(queue.queue_id)
  const slow = Promise.withResolvers<void>()
  gate = slow.promise
  await emitEvents(world, list('roses'))
  await eventually(() => reads.roses)

  const newer = queue.poll()
  assert.deepEqual(await older, [])
  assert.ok(await isPending(newer))
  slow.resolve()

  assert.deepEqual(namesOf(await newer), ['roses'])
  assert.deepEqual(reads, { roses: 1 })
  const next = queue.take(2)
  await emitEvents(world, makeNote('on'))
  assert.deepEqual(namesOf(await next), ['roses', 'on'])
})

test('a failed load does not fail polls that started after it', async () => {
  const queue = await listsTo(iris)
  const older = queue.poll()
  const first = await waitingOn(queue.queue_id)
  const slow = Promise.withResolvers<void>()
  gate = slow.promise
  await emitEvents(world, list('roses'))
  await eventually(() => reads.roses)

  // The client gets the list from another node.
  const [roses] = await eventually(async () => {
    gate = Promise.resolve()
    const events = await queue.poll({ dont_block: true }, 'b')
    return events.length > 0 && events
  })
  const newer = queue.poll({ last_event_id: roses?.id ?? 0 })
  assert.deepEqual(await older, [])
  await eventually(() => queueOn('a', queue.queue_id)?.listener !== first && waitingOn(queue.queue_id))
  slow.reject(new Error('too late'))
  assert.ok(await isPending(newer))

  await emitEvents(world, makeNote('on'))
  assert.deepEqual(namesOf(await newer), ['on'])
})

test('an account that loses access during a load does not get the list', async () => {
  const [lena, max] = await world.people('lena', 'max')
  const queues = [await listsTo(lena), await listsTo(max), await listsTo(max)]
  const early = queues.slice(0, 2).map((queue) => statusOf(queue.poll()))
  for (const { queue_id } of queues.slice(0, 2)) await waitingOn(queue_id)
  const slow = Promise.withResolvers<void>()
  gate = slow.promise
  await emitEvents(world, list('roses'))
  await eventually(() => reads.roses)
  const late = statusOf(queues[2]?.poll() ?? Promise.resolve())
  await eventually(() => queueOn('a', queues[2]?.queue_id ?? ''))

  await lena.users.regenerateApiKey()
  await max.users.deactivateMe()
  const statuses = await Promise.all(early)
  slow.resolve()

  assert.deepEqual(statuses, [401, 401])
  assert.equal(await late, 400)
})

test('a list that renders to no events neither ends the poll nor hides later events', async () => {
  const queue = await listsTo(iris)
  const poll = queue.poll()
  await waitingOn(queue.queue_id)
  // More records than are loaded for one response.
  const many = Array.from({ length: 30 }, () => list('nothing'))

  await emitEvents(world, ...many, list('roses'))

  assert.deepEqual(namesOf(await poll), ['roses'])
  const again = await listsTo(iris)
  await emitEvents(world, ...many)
  await world.settled()
  const late = again.poll()
  assert.ok(await isPending(late))
  await emitEvents(world, list('tulips'))
  assert.deepEqual(namesOf(await late), ['tulips'])
})

test('many loaded events are split over several responses', async () => {
  const queue = await listsTo(iris)
  const names = Array.from({ length: 50 }, (_, index) => `list ${index}`)
  await emitEvents(world, ...names.map(list), makeNote('end'))
  await world.settled()

  const first = await queue.poll()

  assert.deepEqual(namesOf(first), names.slice(0, 20))
  assert.deepEqual(namesOf(await queue.take(51)), [...names, 'end'])
})

test('an event stream waits for a load and sends the list in order', async () => {
  const { queue_id } = await listsTo(iris)
  await using source = await openEventStream(nodes.a.url, { credentials: iris, query: { queue_id } })
  const next = async () => {
    let event = await source.next()
    while (event && event.data === undefined) event = await source.next()
    return JSON.parse(event?.data ?? '{}').name
  }
  await eventually(() => queueOn('a', queue_id)?.listener)
  const slow = Promise.withResolvers<void>()
  gate = slow.promise

  await emitEvents(world, list('roses'))
  await eventually(() => reads.roses)
  await emitEvents(world, makeNote('after'))
  await world.settled()
  slow.resolve()

  assert.deepEqual([await next(), await next()], ['roses', 'after'])
})
