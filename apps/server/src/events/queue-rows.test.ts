import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eventually, openQueue, startWorld } from '@oxbow/testkit'

test('a queue lives for its lifespan after the last poll, also if that came soon after it was opened', async () => {
  await using world = await startWorld({ config: { queue_lifespan_seconds: 4 } })
  const iris = await world.person('iris')
  const find = async () => {
    const [row] = await world.database.query<{ seen: number; age: number }>(
      `select extract(epoch from seen_at)::float8 as seen, extract(epoch from now() - seen_at)::float8 as age
       from event_queue where id = $1`,
      [queue.queue_id],
    )
    return row
  }
  const queue = await openQueue(iris)
  await queue.poll({ dont_block: true })
  const opened = (await find())?.seen ?? 0
  // The quarter of the lifespan in which it would not be worth a write.
  await setTimeout(500)
  await queue.poll({ dont_block: true })

  const noted = await eventually(async () => ((await find())?.seen ?? 0) > opened + 0.4, 3_000)

  assert.ok(noted)
  await eventually(async () => (await find()) === undefined, 12_000)
})
