import { test } from 'node:test'
import { eventually, openQueue, repeatIfSlowed, startWorld } from '@oxbow/testkit'

test('a queue lives for its lifespan after the last poll, even if that poll came right after its creation', async () => {
  await using world = await startWorld({ config: { queue_lifespan_seconds: 4 } })
  const iris = await world.person('iris')
  await repeatIfSlowed(world.database, 500, async () => {
    const queue = await openQueue(iris)
    const find = async () => {
      const [row] = await world.database.query<{ seen: number; age: number }>(
        `select extract(epoch from seen_at)::float8 as seen, extract(epoch from now() - seen_at)::float8 as age
         from event_queue where id = $1`,
        [queue.queue_id],
      )
      return row ?? { seen: 0, age: 0 }
    }
    const opened = await find()
    // The poll is so early that the next save also falls into the first quarter of the lifespan, in which rows
    // are not updated.
    await eventually(async () => (await find()).age > 0.1)

    await queue.poll({ dont_block: true })

    // The poll time is saved long before the queue would expire.
    await eventually(async () => (await find()).seen >= opened.seen + 0.1, 2_800)
  })
})
