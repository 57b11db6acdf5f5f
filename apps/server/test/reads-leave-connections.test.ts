import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionOptions } from '@oxbow/server'
import { eventually, startWorld } from '@oxbow/testkit'
import pg from 'pg'

const database_pool_size = 5
/** More than there are connections. */
const pages = 12

test('a message is sent while more pages than there are connections wait for PostgreSQL', async () => {
  await using world = await startWorld({
    ownServer: true,
    config: { database_pool_size },
    // A send that waits for a connection fails instead of waiting for the end of the test.
    databaseTimeoutMs: 10_000,
  })
  const { stream_id } = await world.stream('garden')
  const { owner } = world
  const send = (content: string) =>
    owner.messages.send({ type: 'stream', to: stream_id, topic: 'roses', content })
  const { id } = await send('The first frost comes.')
  const countWaiting = async () => {
    const text = await world.nodes.a.app.metrics.registry.metrics()
    return Number(/^oxbow_database_connections\{state="awaited"\} (\d+)$/m.exec(text)?.[1])
  }
  const read = () => owner.messages.list({ anchor: 'newest', num_before: 10, num_after: 0, narrow: [] })

  const blocker = new pg.Client(connectionOptions(world.database.url))
  await blocker.connect()
  try {
    await blocker.query('begin')
    // Pages read this table, and sends do not.
    await blocker.query('lock table reaction in access exclusive mode')
    const reading = Promise.all(Array.from({ length: pages }, read))
    await eventually(async () => (await countWaiting()) > 0)
    const sent = await send('Bring shears.')
    assert.ok(sent.id > id)
    assert.ok((await countWaiting()) > 0, 'pages still wait')
    await blocker.query('rollback')
    for (const { messages } of await reading) assert.equal(messages.length > 0, true)
  } finally {
    await blocker.end()
  }
})
