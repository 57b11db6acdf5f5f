import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, openEventStream, openQueue, type Person, request, startWorld } from '@oxbow/testkit'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const { nodes, owner } = world

/** Resolves when a poll or event stream waits for events of the queue on this node. */
const waitForListener = (queue_id: string, node: 'a' | 'b' = 'a') =>
  eventually(() => {
    const organizations = [...nodes[node].app.events.log.organizations.values()]
    return organizations.some(({ queues }) => queues.get(queue_id)?.listener !== undefined)
  })

const get = (person: Person, query: Record<string, string>) =>
  request(nodes.a.url, { path: '/api/v1/events', credentials: person, query })

const refused = (msg: string, code = 'BAD_REQUEST') => ({ result: 'error', code, msg })

test('a waiting poll responds as soon as the first event arrives', async () => {
  const queue = await openQueue(iris)
  let isPollFinished = false
  const poll = queue.poll().finally(() => {
    isPollFinished = true
  })
  await waitForListener(queue.queue_id)
  assert.equal(isPollFinished, false)

  await emitEvents(world, makeNote('first'))

  assert.deepEqual(namesOf(await poll), ['first'])
})

test('the response contains the queue id, and all event ids are above the cursor', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, makeNote('one'), makeNote('two'))

  const response = await iris.events.poll({ queue_id: queue.queue_id, last_event_id: queue.cursor() })

  assert.equal(response.queue_id, queue.queue_id)
  assert.deepEqual(
    response.events.map(({ id }) => id > queue.cursor()),
    [true, true],
  )
})

test('a poll with dont_block returns an empty list if there are no events', async () => {
  const queue = await openQueue(iris)

  assert.deepEqual(await queue.poll({ dont_block: true }), [])
})

test('a second poll ends the first one without events and gets the next event', async () => {
  const queue = await openQueue(iris)
  const first = queue.poll()
  await waitForListener(queue.queue_id)

  const second = queue.poll()
  assert.deepEqual(await first, [])
  await emitEvents(world, makeNote('for the second'))

  assert.deepEqual(namesOf(await second), ['for the second'])
})

test('a new poll or event stream of a queue ends the previous one', async () => {
  const queue = await openQueue(iris)
  const open = () =>
    openEventStream(nodes.a.url, {
      credentials: iris,
      query: { queue_id: queue.queue_id, last_event_id: queue.cursor() },
    })
  const poll = queue.poll()
  await waitForListener(queue.queue_id)

  await using first = await open()
  assert.deepEqual(await poll, [])
  await using second = await open()
  assert.equal(await first.next(), undefined)
  const last = queue.poll()
  assert.equal(await second.next(), undefined)
  await emitEvents(world, makeNote('for the last'))

  assert.deepEqual(namesOf(await last), ['for the last'])
})

test('events that were not acknowledged are sent again unchanged', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, makeNote('one'), makeNote('two'))
  await world.settled()

  const first = await queue.poll()
  const again = await queue.poll()
  const [firstEvent] = first
  const rest = await queue.poll({ last_event_id: firstEvent?.id ?? 0 })

  assert.deepEqual(namesOf(first), ['one', 'two'])
  assert.deepEqual(again, first)
  assert.deepEqual(namesOf(rest), ['two'])
})

test('cursor -1 and no cursor both start at the beginning of the queue', async () => {
  await emitEvents(world, makeNote('before'))
  await world.settled()
  const { queue_id } = await openQueue(iris)
  await emitEvents(world, makeNote('after'))
  await world.settled()

  const fromTheStart = await iris.events.poll({ queue_id, last_event_id: -1 })
  const withoutCursor = await iris.events.poll({ queue_id })

  assert.deepEqual(namesOf(fromTheStart.events), ['after'])
  assert.deepEqual(withoutCursor.events, fromTheStart.events)
})

test('an impossible cursor is refused without losing events', async () => {
  const queue = await openQueue(iris)
  await emitEvents(world, makeNote('still here'))
  await world.settled()

  for (const id of [queue.cursor() + 1_000, Number.MAX_SAFE_INTEGER]) {
    const response = await get(iris, { queue_id: queue.queue_id, last_event_id: String(id) })
    assert.deepEqual([response.status, response.body], [400, refused(`Event ${id} was not in this queue`)])
  }
  const odd = await get(iris, { queue_id: queue.queue_id, last_event_id: 'soon' })
  assert.deepEqual(odd.body, {
    ...refused("Bad value for 'last_event_id': soon", 'REQUEST_VARIABLE_INVALID'),
    var_name: 'last_event_id',
    bad_value: 'soon',
  })

  assert.deepEqual(namesOf(await queue.take(1)), ['still here'])
})

test('the queue of another user can neither be read nor deleted', async () => {
  const tea = await world.addOrganization('tea')
  const { queue_id } = await openQueue(iris)
  const remove = (person: Person) =>
    request(nodes.b.url, {
      method: 'DELETE',
      path: '/api/v1/events',
      credentials: person,
      query: { queue_id },
    })
  for (const other of [otto, owner]) {
    const read = await get(other, { queue_id, last_event_id: '-1' })
    assert.deepEqual(
      [read.status, read.body],
      [400, refused('You are not authorized to get events from this queue')],
    )
    const removed = await remove(other)
    assert.deepEqual(
      [removed.status, removed.body],
      [400, refused('You are not authorized to access this queue')],
    )
  }
  const unknown = { status: 400, body: badQueue(queue_id) }
  await assert.rejects(tea.owner.events.poll({ queue_id, last_event_id: -1 }), unknown)
  await assert.rejects(tea.owner.events.deleteQueue({ queue_id }), unknown)

  const { events } = await iris.events.poll({ queue_id, dont_block: true })
  assert.deepEqual(events, [])
})

const badQueue = (queue_id: string) => ({
  ...refused(`Bad event queue id: ${queue_id}`, 'BAD_EVENT_QUEUE_ID'),
  queue_id,
})

test('polling or deleting an unknown or deleted queue fails on both nodes', async () => {
  const { queue_id } = await openQueue(iris)
  await iris.on('b').events.poll({ queue_id, dont_block: true })

  await iris.events.deleteQueue({ queue_id })
  await world.settled()

  for (const id of [queue_id, 'nonsense', '']) {
    const unknown = { status: 400, body: badQueue(id) }
    for (const node of ['a', 'b'] as const) {
      await assert.rejects(iris.on(node).events.poll({ queue_id: id, last_event_id: -1 }), unknown)
      await assert.rejects(iris.on(node).events.deleteQueue({ queue_id: id }), unknown)
    }
  }
})

test('a waiting poll gets an empty response when its queue is deleted on the same node', async () => {
  const queue = await openQueue(iris)
  const poll = queue.poll()
  await waitForListener(queue.queue_id)

  await iris.events.deleteQueue({ queue_id: queue.queue_id })

  assert.deepEqual(await poll, [])
})

test('a waiting poll on the other node fails when its queue is deleted', async () => {
  const queue = await openQueue(iris)
  const poll = queue.poll({}, 'b')
  await waitForListener(queue.queue_id, 'b')

  await Promise.all([
    assert.rejects(poll, { body: badQueue(queue.queue_id) }),
    iris.events.deleteQueue({ queue_id: queue.queue_id }),
  ])
})

test('only requested event types are delivered: none for an empty list, all for null', async () => {
  const queues = {
    notes: await openQueue(iris, { event_types: ['note', 'unheard_of'] }),
    others: await openQueue(iris, { event_types: ['realm_user'] }),
    none: await openQueue(iris, { event_types: [] }),
    null: await openQueue(iris, { event_types: null }),
  }
  const letter = { ...makeNote('a letter'), event: { type: 'letter', name: 'a letter' } }
  await emitEvents(world, makeNote('a note'), letter)
  await world.settled()

  assert.deepEqual(namesOf(await queues.notes.rest()), ['a note'])
  assert.deepEqual(namesOf(await queues.others.rest()), [])
  assert.deepEqual(namesOf(await queues.none.rest()), [])
  assert.deepEqual(namesOf(await queues.null.rest()), ['a note', 'a letter'])
})

test('an event of a type that was not requested does not wake a poll', async () => {
  const queue = await openQueue(iris, { event_types: ['letter'] })
  const poll = queue.poll()
  await waitForListener(queue.queue_id)

  await emitEvents(world, makeNote('unwanted'))
  await emitEvents(world, { ...makeNote('wanted'), event: { type: 'letter', name: 'wanted' } })

  assert.deepEqual(namesOf(await poll), ['wanted'])
})

test('a poll without queue_id but with queue options opens a queue', async () => {
  const opened = await iris.events.poll({ event_types: ['note'] })
  assert.deepEqual(opened.events, [])
  const { queue_id, last_event_id = Number.NaN } = opened
  await emitEvents(world, { ...makeNote('not asked for'), event: { type: 'letter' } }, makeNote('asked for'))

  const { events } = await iris.on('b').events.poll({ queue_id, last_event_id })

  assert.deepEqual(namesOf(events), ['asked for'])
})

test('a poll without queue_id and queue options is refused', async () => {
  const missing = await get(iris, {})
  const undeletable = await request(nodes.a.url, {
    method: 'DELETE',
    path: '/api/v1/events',
    credentials: iris,
  })

  assert.deepEqual([missing.status, missing.body], [400, refused("Missing 'queue_id' argument")])
  assert.deepEqual(undeletable.body, {
    ...refused("Missing 'queue_id' argument", 'REQUEST_VARIABLE_MISSING'),
    var_name: 'queue_id',
  })
})
