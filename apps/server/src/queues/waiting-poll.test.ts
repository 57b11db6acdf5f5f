import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, openQueue, startWorld } from '@oxbow/testkit'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'
import type { WaitingPoll } from './waiting-poll.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { nodes } = world
const iris = await world.person('iris')

const queueOn = (node: 'a' | 'b', queue_id: string) =>
  [...nodes[node].app.events.log.organizations.values()]
    .map(({ queues }) => queues.get(queue_id))
    .find((queue) => queue !== undefined)

/** Returns the poll that is waiting for events of the queue. */
const waitingOn = (node: 'a' | 'b', queue_id: string) =>
  eventually(() => queueOn(node, queue_id)?.listener as WaitingPoll | undefined)

test('a heartbeat that is due while an event is pending sends the event instead', async (t) => {
  const queue = await openQueue(iris)
  const poll = queue.poll()
  const waiting = await waitingOn('a', queue.queue_id)
  const wake = t.mock.method(waiting, 'wake', () => {})
  await emitEvents(world, makeNote('found'))
  await eventually(() => queueOn('a', queue.queue_id)?.pendingRecords.length === 1)
  wake.mock.restore()

  waiting.sendHeartbeat()

  assert.deepEqual(namesOf(await poll), ['found'])
})

test('the id of a heartbeat is the position, and later events are not lost', async () => {
  const queue = await openQueue(iris, { event_types: ['note'] })
  const poll = queue.poll()
  const waiting = await waitingOn('a', queue.queue_id)
  await emitEvents(world, { ...makeNote('not asked for'), event: { type: 'letter' } })
  await world.settled()

  waiting.sendHeartbeat()

  const [heartbeat] = await poll
  assert.equal(heartbeat?.type, 'heartbeat')
  assert.ok(heartbeat.id > queue.cursor())
  const next = queue.poll({ last_event_id: heartbeat.id })
  await emitEvents(world, makeNote('later'))
  assert.deepEqual(namesOf(await next), ['later'])
})

for (const when of ['during', 'before'])
  test(`an event that the narrow cannot evaluate fails only the queue with that narrow (emitted ${when} the poll)`, async () => {
    const [narrowed, unfiltered] = [
      await openQueue(iris, { narrow: [['stream', 'garden']] }),
      await openQueue(iris, { event_types: ['note'] }),
    ]
    const listen = () => Promise.allSettled([narrowed.poll(), unfiltered.poll()])
    const early = when === 'during' ? listen() : undefined
    if (early) for (const { queue_id } of [narrowed, unfiltered]) await waitingOn('a', queue_id)
    const broken = makeNote('broken', { event: { type: 'message', name: 'broken' } })

    await emitEvents(world, broken, makeNote('after'))
    await world.settled()

    const [failed, succeeded] = await (early ?? listen())
    assert.equal(failed.status === 'rejected' && failed.reason.status, 500)
    assert.deepEqual(succeeded.status === 'fulfilled' && namesOf(succeeded.value), ['after'])
    const [head] = await world.database.query<{ last_seq: number }>(
      'select last_seq from event_head where organization_id = $1',
      [world.organization_id],
    )
    for (const { app } of Object.values(nodes))
      for (const { position } of app.events.log.organizations.values()) assert.equal(position, head?.last_seq)
    await emitEvents(world, makeNote('on'))
    assert.deepEqual(namesOf(await unfiltered.take(2, 'b')), ['after', 'on'])
  })
