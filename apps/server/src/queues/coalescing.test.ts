import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, startWorld } from '@oxbow/testkit'
import { emitEvents, makeNote } from '../events/test/emit-events.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

const flags = (...messages: number[]) =>
  makeNote('flags', {
    event: { type: 'update_message_flags', operation: 'add', flag: 'read', all: false, messages },
  })
const messagesOf = (events: object[]) => events.map((event) => (event as { messages?: number[] }).messages)

test('flag changes that were not sent yet are merged into one event', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, flags(1), flags(2, 3))
  await emitEvents(world, makeNote('between'))
  await emitEvents(world, flags(4))
  await world.settled()

  const events = await queue.rest()

  assert.deepEqual(messagesOf(events), [undefined, [1, 2, 3, 4]])
  assert.ok((events[0]?.id ?? 0) < (events[1]?.id ?? 0))
  assert.deepEqual(await queue.rest(), [])
})

test('flag changes are not merged with events that were sent before', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, flags(1), flags(2))
  await world.settled()
  const first = await queue.poll()
  await emitEvents(world, flags(3), flags(4))
  await world.settled()

  const again = await queue.poll()

  assert.deepEqual(messagesOf(first), [[1, 2]])
  const cursor = (first.at(-1)?.id ?? 0) + 1
  const [before, later] = [again.filter(({ id }) => id < cursor), again.filter(({ id }) => id >= cursor)]
  assert.deepEqual(messagesOf(before).flat(), [1, 2])
  assert.deepEqual(messagesOf(later), [[3, 4]])
})

test('a client that acknowledged the first response gets the rest', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, flags(1), flags(2))
  await world.settled()
  await queue.rest()
  await emitEvents(world, flags(3), flags(4))
  await world.settled()

  assert.deepEqual(messagesOf(await queue.rest('b')), [[3, 4]])
})

test('merged events that are sent again are merged in the same way', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, flags(1), flags(2))
  await world.settled()

  assert.deepEqual(await queue.poll(), await queue.poll())
})
