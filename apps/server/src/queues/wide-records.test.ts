import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { openEventStream, openQueue, startWorld } from '@oxbow/testkit'
import { emitEvents } from '../events/test/emit-events.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

/** Emits one record that becomes three events. */
const emitAddresses = () => {
  const persons = [7, 8, 9].map((user_id) => ({ user_id, delivery_email: `${user_id}@garden.example` }))
  const event = { type: 'realm_user', op: 'update', persons }
  return emitEvents(world, { event, eventCount: persons.length, to: { users: [iris.user_id] } })
}

const listUserIds = (events: readonly object[]): UserId[] =>
  events.map((event) => (event as { person: { user_id: UserId } }).person.user_id)

test('one record becomes three events with separate ids, and a cursor can be between them', async () => {
  const queue = await openQueue(iris)
  await emitAddresses()
  await emitAddresses()
  await world.settled()

  const all = await queue.poll()
  const [first, second] = all.map(({ id }) => id)
  const afterFirst = await queue.poll({ last_event_id: first ?? 0 })
  const afterSecond = await queue.poll({ last_event_id: second ?? 0 }, 'b')

  assert.deepEqual(listUserIds(all), [7, 8, 9, 7, 8, 9])
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from({ length: 6 }, (_, index) => (first ?? 0) + index),
  )
  assert.deepEqual(afterFirst, all.slice(1))
  assert.deepEqual(afterSecond, all.slice(2))
})

test('a poll with a cursor inside a record gets the remaining events at once', async () => {
  const queue = await openQueue(iris)
  await emitAddresses()
  const [first] = await queue.take(3)

  const rest = await queue.poll({ last_event_id: first?.id ?? 0 })

  assert.deepEqual(listUserIds(rest), [8, 9])
})

test('an event stream that broke inside a record resumes inside it', async () => {
  const queue = await openQueue(iris)
  await emitAddresses()
  const [, second] = await queue.take(3)
  await using source = await openEventStream(world.nodes.b.url, {
    credentials: iris,
    query: { queue_id: queue.queue_id },
    headers: { 'last-event-id': String(second?.id) },
  })

  const event = await source.next()

  assert.deepEqual(listUserIds([JSON.parse(event?.data ?? '')]), [9])
})

test('a response has at most two thousand events, and the next poll gets the rest', async () => {
  const queue = await openQueue(iris)
  const persons = Array.from({ length: 5_000 }, (_, user_id) => ({ user_id, delivery_email: null }))
  const event = { type: 'realm_user', op: 'update', persons }
  const waiting = queue.poll()
  await emitEvents(world, { event, eventCount: persons.length, to: { users: [iris.user_id] } })

  const responses = [await waiting]
  for (const node of ['a', 'b'] as const)
    responses.push(await queue.poll({ last_event_id: responses.at(-1)?.at(-1)?.id ?? 0 }, node))

  assert.deepEqual(
    responses.map(({ length }) => length),
    [2_000, 2_000, 1_000],
  )
  assert.deepEqual(listUserIds(responses.flat()), Array.from(persons.keys()))
})
