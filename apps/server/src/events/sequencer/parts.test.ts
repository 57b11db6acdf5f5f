import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startStopwatch, startWorld } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'
import { currentPart, dropOldParts } from './parts.ts'

const world = await startWorld({ ownServer: true })
const client = new pg.Client(connectionOptions(world.database.url))
await client.connect()
after(async () => {
  await client.end()
  await world[Symbol.asyncDispose]()
})
const iris = await world.person('iris')
const day = 86_400
const largeRetention = { minSeconds: day, maxSeconds: day, marginSeconds: 600, maxBytes: 1_000_000_000 }

let count = 0
const rename = () => world.owner.users.update({ user_id: iris.user_id, full_name: `Iris ${count++}` })
const parts = async () =>
  (await world.database.query<{ part: number }>('select part from event_part order by part')).map(
    ({ part }) => part,
  )

/** Makes the current part old, so that the sequencer writes to a new one after its restart. */
async function beginNextPart() {
  await world.database.query(
    "update event_part set began_at = began_at - interval '2 hours' where ended_at is null",
  )
  const next = await currentPart(client, largeRetention)
  const endSequencerSession = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'oxbow sequencer%'`
  await world.database.query(endSequencerSession)
  return next
}

test('a new part begins when the current one is old enough, and queues read from both', async () => {
  const { queue_id, last_event_id } = await iris.events.register({ fetch_event_types: [] })
  await rename()
  await world.settled()
  const before = await parts()

  const next = await beginNextPart()
  await rename()
  await world.settled()

  assert.deepEqual(await parts(), [...before, next])
  const { events } = await iris.on('b').events.poll({ queue_id, last_event_id, dont_block: true })
  assert.equal(events.length, 2)
})

test('parts that are too old or too large are dropped, and queues that need them can no longer be polled', async () => {
  const behind = await iris.events.register({ fetch_event_types: [] })
  await rename()
  await world.settled()
  await beginNextPart()
  await rename()
  await world.settled()
  const ahead = await iris.events.register({ fetch_event_types: [] })
  await world.database.query(
    "update event_part set ended_at = ended_at - interval '2 days' where ended_at is not null",
  )

  const dropped = await dropOldParts(client, largeRetention)

  assert.ok(dropped.length > 0)
  assert.equal((await parts()).length, 1)
  // Both nodes still have the events in memory; a third node does not.
  const [head] = await world.database.query<{ dropped_seq: number }>(
    'select dropped_seq from event_head limit 1',
  )
  assert.ok((head?.dropped_seq ?? 0) > behind.last_event_id)
  await assert.rejects(
    async () => {
      for (;;)
        await iris.events.poll({
          queue_id: behind.queue_id,
          last_event_id: behind.last_event_id,
          dont_block: true,
        })
    },
    { message: `Bad event queue id: ${behind.queue_id}` },
  )
  await iris.events.poll({ queue_id: ahead.queue_id, dont_block: true })
})

test('dropping parts does nothing and does not block while a transaction reads the log', async () => {
  await beginNextPart()
  await world.database.query(
    "update event_part set ended_at = ended_at - interval '2 days' where ended_at is not null",
  )
  const reader = new pg.Client(connectionOptions(world.database.url))
  await reader.connect()
  await reader.query('begin; select count(*) from event_batch')

  await using stopwatch = startStopwatch(world.database)
  assert.deepEqual(await dropOldParts(client, largeRetention), [])
  // Statements of this session wait up to 15 seconds for a lock.
  assert.ok(stopwatch.elapsedMs() < 10_000)

  await reader.query('commit')
  await reader.end()
  assert.equal((await dropOldParts(client, largeRetention)).length, 1)
})

test('the oldest parts are dropped when the log exceeds its size limit', async () => {
  await beginNextPart()

  assert.equal((await dropOldParts(client, { ...largeRetention, maxBytes: 1 })).length, 1)
})

test('the log is kept for days only while a queue with a lifespan of days exists', async () => {
  const week = { ...largeRetention, maxSeconds: 7 * day }
  await beginNextPart()
  const agePart = (days: number) =>
    world.database.query(
      `update event_part set ended_at = now() - ${days} * interval '1 day' where ended_at is not null`,
    )
  await agePart(3)
  const { queue_id } = await iris.events.register({ fetch_event_types: [], queue_lifespan_secs: 5 * day })

  assert.deepEqual(await dropOldParts(client, week), [])
  await agePart(6)
  assert.equal((await dropOldParts(client, week)).length, 1)

  await beginNextPart()
  await agePart(3)
  await iris.events.deleteQueue({ queue_id })
  assert.equal((await dropOldParts(client, week)).length, 1)
})
