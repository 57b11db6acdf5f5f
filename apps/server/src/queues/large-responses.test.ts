import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEventStream, openQueue, startWorld } from '@oxbow/testkit'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const [iris] = await world.people('iris')

const names = Array.from({ length: 10 }, (_, index) => `long ${index}`)
const text = 'x'.repeat(1_000_000)
const longNotes = () => names.map((name) => makeNote(name, { event: { type: 'note', name, text } }))

/** Emits events with 10 MB, while nobody listens. */
async function emitLongNotes(): Promise<void> {
  await emitEvents(world, ...longNotes())
  await world.settled()
}

test('a poll returns about 8 MB of events, and the next ones return the rest in order', async () => {
  const queue = await openQueue(iris, { event_types: ['note'] })
  await emitLongNotes()

  const received: unknown[] = []
  for (let polls = 0; polls < 2; polls++) {
    const events = await queue.take(1)
    assert.ok(JSON.stringify(events).length < 8_000_000)
    received.push(...namesOf(events))
  }

  assert.deepEqual(received, names)
})

test('an event stream sends all events of a long backlog in order', async () => {
  const queue = await openQueue(iris, { event_types: ['note'] })
  await emitLongNotes()

  await using stream = await openEventStream(world.nodes.b.url, {
    credentials: iris,
    query: { queue_id: queue.queue_id, last_event_id: queue.cursor() },
  })
  const received: unknown[] = []
  while (received.length < names.length) {
    const entry = await stream.next()
    assert.ok(entry?.data)
    received.push(JSON.parse(entry.data).name)
  }

  assert.deepEqual(received, names)
})
