import { setTimeout } from 'node:timers/promises'
import { type Account, eventually } from '@oxbow/testkit'
import { say } from '../figures.ts'
import { follow } from './follower.ts'
import { type Garden, plantGarden, startProbedNode } from './garden.ts'
import { insertEvents } from './outbox.ts'

const rows = 600_000
const lookEvery = 10
/** A head that does not move for so long does not move any more. */
const patience = 10_000

/** A large backlog is worked off in small steps: no statement of the sequencer takes a second. */
export async function benchBacklog(): Promise<void> {
  await using garden = await plantGarden()
  await using node = await startProbedNode(garden)
  await using follower = await follow(node.url, garden.accounts[0] as Account)
  const before = await garden.head()
  await garden.database.query(insertEvents(garden.organization_id, rows))
  const start = performance.now()
  const statements = watchSequencer(garden)
  const { numbered, took } = await workedOff(garden, before + rows, before)
  const longest = await statements.stop()
  if (numbered < rows) throw new Error(`${rows - numbered} of ${rows} outbox rows never got a number`)
  await eventually(() => follower.arrivals.length >= rows, 120_000)
  const delivered = performance.now() - start
  say(
    `backlog: ${rows} outbox rows were sequenced in ${(took / 1000).toFixed(1)} s, ${Math.round(rows / (took / 1000))} rows/s, and delivered to a poll after ${(delivered / 1000).toFixed(1)} s; the sequencer's longest statement took ${longest.toFixed(0)} ms (below 1,000 is wanted)`,
  )
}

/** Until the log's head is at `end`, or stands still. */
async function workedOff(
  garden: Garden,
  end: number,
  before: number,
): Promise<{ numbered: number; took: number }> {
  const start = performance.now()
  let head = before
  let movedAt = start
  while (head < end && performance.now() - movedAt < patience) {
    const now = await garden.head()
    if (now > head) movedAt = performance.now()
    head = now
    await setTimeout(lookEvery)
  }
  return { numbered: head - before, took: movedAt - start }
}

/** Looks often at what the sequencer's session does; what it sees may be short of the truth by the time between looks. */
function watchSequencer({ database }: Garden): { stop(): Promise<number> } {
  let isStopped = false
  let longest = 0
  const looking = (async () => {
    while (!isStopped) {
      const [row] = await database.query<{ age: number | null }>(
        `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float as age
         from pg_stat_activity
         where application_name like 'oxbow sequencer%' and state = 'active' and datname = current_database()`,
      )
      longest = Math.max(longest, row?.age ?? 0)
      await setTimeout(lookEvery)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await looking
      return longest
    },
  }
}
