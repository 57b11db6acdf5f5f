import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, openEventStream, openQueue, repeatIfSlowed, startWorld } from '@oxbow/testkit'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'

const world = await startWorld({ checked: false, config: { queue_lifespan_seconds: 2 } })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

const hasQueue = async (queue_id: string) =>
  (await world.database.query('select from event_queue where id = $1', [queue_id])).length > 0
const lacksQueue = async (queue_id: string) => !(await hasQueue(queue_id))

/** Repeats an attempt that failed because the machine was slow, so that its queues expired before their use. */
const inTime = <Result>(attempt: () => Promise<Result>) => repeatIfSlowed(world.database, 1_000, attempt)

test('a queue that nobody polls expires within a few seconds on both nodes', async () => {
  const queue_id = await inTime(async () => {
    const { queue_id } = await openQueue(iris)
    await iris.on('b').events.poll({ queue_id, dont_block: true })
    return queue_id
  })

  await eventually(() => lacksQueue(queue_id))
  await world.settled()

  for (const node of ['a', 'b'] as const)
    await assert.rejects(iris.on(node).events.poll({ queue_id, last_event_id: -1 }), {
      status: 400,
      message: `Bad event queue id: ${queue_id}`,
    })
})

test('waiting polls, open streams and repeated polls keep their queues alive', () =>
  inTime(async () => {
    const waited = await openQueue(iris)
    const streamed = await openQueue(iris, {}, 'b')
    const polled = await openQueue(iris)
    const unpolled = await openQueue(iris)
    const poll = waited.poll({}, 'b')
    poll.catch(() => {})
    await using source = await openEventStream(world.nodes.a.url, {
      credentials: iris,
      query: { queue_id: streamed.queue_id },
    })

    await eventually(async () => {
      await polled.poll({ dont_block: true })
      return lacksQueue(unpolled.queue_id)
    })
    // When a younger queue has expired, the older ones would have expired too if nobody used them.
    const younger = await openQueue(iris)
    await eventually(() => lacksQueue(younger.queue_id))
    assert.ok((await hasQueue(waited.queue_id)) && (await hasQueue(streamed.queue_id)))
    await eventually(() => lacksQueue(polled.queue_id))
    await emitEvents(world, makeNote('still heard'))

    assert.deepEqual(namesOf(await poll), ['still heard'])
    assert.equal(JSON.parse((await source.next())?.data ?? '{}').name, 'still heard')
    source.close()
    for (const { queue_id } of [waited, streamed]) await eventually(() => lacksQueue(queue_id))
  }))

test('queue_lifespan_secs is limited to seven days', async () => {
  const week = 7 * 86_400
  for (const [requested, lifespan] of [
    [week, week],
    [week + 1, week],
    [3 * 86_400, 3 * 86_400],
  ]) {
    const { queue_id } = await openQueue(iris, { queue_lifespan_secs: requested })
    const [row] = await world.database.query('select lifespan_seconds from event_queue where id = $1', [
      queue_id,
    ])
    assert.equal(row?.lifespan_seconds, lifespan)
  }
})

test('a queue with a longer queue_lifespan_secs expires later than other queues', async () => {
  const long = await openQueue(iris, { queue_lifespan_secs: 600 })
  const usual = await openQueue(iris, { queue_lifespan_secs: 0 })

  await eventually(() => lacksQueue(usual.queue_id))

  assert.ok(await hasQueue(long.queue_id))
})
