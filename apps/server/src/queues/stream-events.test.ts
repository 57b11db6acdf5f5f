import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { EventStreamParser, type ServerSentEvent } from '@oxbow/sdk'
import {
  basic,
  type EventSource,
  eventually,
  openEventStream,
  openQueue,
  type Person,
  startWorld,
} from '@oxbow/testkit'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'
import { stallStream } from './test/stalled-stream.ts'

const world = await startWorld({ checked: false, config: { recent_events_mb: 1 } })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
const { url } = world.nodes.a

const open = (queue_id: string, query: Record<string, number> = {}, headers: Record<string, string> = {}) =>
  openEventStream(url, { credentials: iris, query: { queue_id, ...query }, headers })

interface Received {
  id: number
  name: string
}

async function take(source: EventSource, count: number): Promise<Received[]> {
  const received: Received[] = []
  while (received.length < count) {
    const event = await source.next()
    if (!event) throw new Error(`the stream ended after ${received.length} events`)
    const content = JSON.parse(event.data ?? '{}')
    // The server-sent event has the same id as the event.
    assert.equal(event.id, String(content.id))
    assert.equal(event.type, 'message')
    received.push(content)
  }
  return received
}

test('an event stream sends each event with its id immediately', async () => {
  const { queue_id } = await openQueue(iris)
  await emitEvents(world, makeNote('before'))
  await using source = await open(queue_id)
  assert.deepEqual([source.status, source.contentType], [200, 'text/event-stream; charset=utf-8'])
  assert.deepEqual(namesOf(await take(source, 1)), ['before'])

  await emitEvents(world, makeNote('one'), makeNote('two'))
  const events = await take(source, 2)
  await emitEvents(world, makeNote('three — ☃'))

  assert.deepEqual(namesOf([...events, ...(await take(source, 1))]), ['one', 'two', 'three — ☃'])
})

test('an event stream sends the same events as a poll', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, makeNote('one'), makeNote('two', { parts: { [iris.user_id]: { own: true } } }))
  await world.settled()
  await using source = await open(queue.queue_id)

  const streamed = await take(source, 2)

  assert.deepEqual(streamed, await queue.rest())
})

test('a heartbeat without delay follows the events that existed when a stream was opened', async () => {
  const queue = await openQueue(iris)
  const { queue_id } = queue
  let cursor = queue.cursor()
  await emitEvents(world, makeNote('one'), makeNote('two'))
  await world.settled()
  for (const expected of [['one', 'two', 'heartbeat'], ['heartbeat']]) {
    const leaving = new AbortController()
    const headers = {
      authorization: basic(iris),
      accept: 'text/event-stream',
      'last-event-id': String(cursor),
    }
    const response = await fetch(`${url}/api/v1/events?queue_id=${queue_id}`, {
      headers,
      signal: leaving.signal,
    })
    const parser = new EventStreamParser()
    const received: ServerSentEvent[] = []
    for await (const chunk of response.body ?? []) {
      received.push(...parser.push(chunk))
      if (received.length >= expected.length) break
    }
    leaving.abort()
    const names = received.map(({ data }) => (data === undefined ? 'heartbeat' : JSON.parse(data).name))
    assert.deepEqual(names, expected)
    assert.equal(received.at(-1)?.id, received.at(-2)?.id ?? String(cursor))
    cursor = Number(received.at(-1)?.id)
  }
})

test('a reconnect resumes at Last-Event-ID, which takes precedence over the URL', async () => {
  const { queue_id, cursor } = await openQueue(iris)
  const first = await open(queue_id, { last_event_id: cursor() })
  await emitEvents(world, makeNote('one'), makeNote('two'))
  const [firstEvent] = await take(first, 2)
  first.close()

  await using again = await open(
    queue_id,
    { last_event_id: cursor() },
    { 'last-event-id': String(firstEvent?.id) },
  )

  assert.deepEqual(namesOf(await take(again, 1)), ['two'])
})

test('a request for an event stream gets the same error as a poll before the stream begins', async () => {
  const { queue_id, cursor } = await openQueue(iris)
  const otto = await world.person('otto')
  const refusals: [person: Person, query: Record<string, string | number>, status: number][] = [
    [iris, { queue_id: 'nonsense' }, 400],
    [otto, { queue_id }, 400],
    [iris, { queue_id, last_event_id: cursor() + 1_000 }, 400],
    [{ ...iris, api_key: 'x'.repeat(32) }, { queue_id }, 401],
  ]
  for (const [credentials, query, status] of refusals) {
    await using source = await openEventStream(url, { credentials, query })
    assert.deepEqual([source.status, source.contentType.split(';')[0]], [status, 'application/json'])
  }
})

test('a client that pauses reading loses no events', async () => {
  const count = 2_000
  const { queue_id } = await openQueue(iris, { event_types: ['note'] })
  await using source = await open(queue_id)
  // All events together exceed the buffers of the kernel between server and client.
  const filling = 'x'.repeat(6_000)
  const largeNote = (name: string) => makeNote(name, { event: { type: 'note', name, filling } })

  for (let start = 0; start < count; start += 100)
    await emitEvents(world, ...Array.from({ length: 100 }, (_, index) => largeNote(String(start + index))))
  await world.settled()

  const received = await take(source, count)
  assert.deepEqual(
    namesOf(received),
    Array.from({ length: count }, (_, index) => String(index)),
  )
  await emitEvents(world, makeNote('and on'))
  assert.deepEqual(namesOf(await take(source, 1)), ['and on'])
})

for (const node of ['a', 'b'] as const)
  test(`an event stream on node a ends with an error when its queue is deleted on node ${node}`, async () => {
    const { queue_id } = await openQueue(iris)
    await using source = await open(queue_id)
    await emitEvents(world, makeNote('one'))
    await take(source, 1)

    await iris.on(node).events.deleteQueue({ queue_id })

    const last = await source.next()
    assert.equal(last?.type, 'error')
    assert.deepEqual(JSON.parse(last.data ?? ''), {
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
      msg: `Bad event queue id: ${queue_id}`,
      queue_id,
    })
    assert.equal(await source.next(), undefined)
  })

test('an event stream stops listening when its client disconnects', async () => {
  const { queue_id } = await openQueue(iris)
  const source = await open(queue_id)
  const listeners = () =>
    [...world.nodes.a.app.events.log.organizations.values()].flatMap(({ listening }) => [...listening])
  await eventually(() => listeners().some(({ id }) => id === queue_id))

  source.close()

  await eventually(() => listeners().every(({ id }) => id !== queue_id))
})

const queueOf = (queue_id: string) =>
  eventually(() =>
    [...world.nodes.a.app.events.log.organizations.values()]
      .map(({ queues }) => queues.get(queue_id))
      .find((queue) => queue !== undefined),
  )

test('a keep-alive that is due while an event waits to be sent does not skip the event', async (t) => {
  const { queue_id } = await openQueue(iris, { event_types: ['note'] })
  const { setTimeout } = globalThis
  let sendKeepAlive = () => {}
  const captureKeepAlive = (act: (...args: unknown[]) => void, after?: number, ...args: unknown[]) => {
    if (after !== 25_000) return setTimeout(act, after, ...args)
    sendKeepAlive = () => act(...args)
    return undefined
  }
  const timers = t.mock.method(globalThis, 'setTimeout', captureKeepAlive as typeof setTimeout)
  await using source = await open(queue_id)
  const queue = await queueOf(queue_id)
  const listener = await eventually(() => queue.listener)
  timers.mock.restore()
  t.mock.method(listener, 'wake', () => {})
  await emitEvents(world, makeNote('found'))
  await eventually(() => queue.pendingRecords.length === 1)

  sendKeepAlive()
  await eventually(() => queue.listener !== listener)
  await emitEvents(world, makeNote('later'))

  assert.deepEqual(namesOf(await take(source, 2)), ['found', 'later'])
})

/** A single parcel exceeds the buffer of a socket, so that the server must wait while it sends to a stalled stream. */
const parcels = Array.from({ length: 10 }, (_, index) =>
  makeNote(`parcel ${index}`, {
    event: { type: 'note', name: `parcel ${index}`, filling: 'x'.repeat(200_000) },
  }),
)

test('a replaced event stream that ends late takes no events from the poll that replaced it', async (t) => {
  const opened = await openQueue(iris, { event_types: ['note'] })
  const { source } = await stallStream(opened.queue_id, () => open(opened.queue_id))
  const queue = await queueOf(opened.queue_id)
  await emitEvents(world, ...parcels)
  await opened.take(parcels.length, 'b')
  await eventually(() => queue.openStreamCount === 1 && !queue.listener)
  const poll = opened.poll()
  const listener = await eventually(() => queue.listener)
  const wake = t.mock.method(listener, 'wake', () => {})
  await emitEvents(world, makeNote('for the poll'))
  await eventually(() => queue.pendingRecords.length === 1)

  source.close()
  await eventually(() => queue.openStreamCount === 0)
  wake.mock.restore()
  listener.wake()
  await emitEvents(world, makeNote('later'))

  assert.deepEqual(namesOf(await poll), ['for the poll'])
})

test('a demoted administrator gets no later events for administrators, even if the client reads slowly', async () => {
  const ada = await world.person('ada', 'administrator')
  const { queue_id } = await openQueue(ada, { event_types: ['note'] })
  const stalled = await stallStream(queue_id, () =>
    openEventStream(url, { credentials: ada, query: { queue_id } }),
  )
  await using source = stalled.source
  const queue = await queueOf(queue_id)
  await emitEvents(world, ...parcels)
  await world.settled()
  await eventually(() => queue.openStreamCount === 1 && !queue.listener)
  queue.seenAt = Number.NEGATIVE_INFINITY

  world.nodes.a.app.events.log.sweep(60_000)
  await world.owner.users.update({ user_id: ada.user_id, role: Role.member })
  const forAdministrators = { to: { roles: [Role.owner, Role.administrator] } }
  await emitEvents(world, makeNote('for administrators only', forAdministrators), makeNote('for everyone'))
  await world.settled()

  stalled.resume()
  const received = namesOf(await take(source, parcels.length + 1))
  assert.equal(received.at(-1), 'for everyone')
})
