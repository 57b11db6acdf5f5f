import { setTimeout } from 'node:timers/promises'
import { type Account, eventually } from '@oxbow/testkit'
import { print } from '../figures.ts'
import { type BenchOrganization, createBenchOrganization, startProbedNode } from './bench-organization.ts'
import { follow } from './follower.ts'
import { insertEvents } from './outbox.ts'

const rows = 600_000
const intervalMs = 10
/** The benchmark fails when the head of the log has not advanced for this time. */
const stallTimeoutMs = 10_000

/** Measures how the sequencer numbers a large backlog: none of its statements may take a second. */
export async function benchBacklog(): Promise<void> {
  await using organization = await createBenchOrganization()
  await using node = await startProbedNode(organization)
  await using follower = await follow(node.url, organization.accounts[0] as Account)
  const before = await organization.head()
  await organization.database.query(insertEvents(organization.organization_id, rows))
  const start = performance.now()
  const statements = watchSequencer(organization)
  const { numbered, took } = await waitForHead(organization, before + rows, before)
  const maxMs = await statements.stop()
  if (numbered < rows) throw new Error(`${rows - numbered} of ${rows} outbox rows never got a number`)
  await eventually(() => follower.arrivals.length >= rows, 120_000)
  const delivered = performance.now() - start
  print(
    `backlog: ${rows} outbox rows were sequenced in ${(took / 1000).toFixed(1)} s, ${Math.round(rows / (took / 1000))} rows/s, and delivered to a poll after ${(delivered / 1000).toFixed(1)} s; the sequencer's longest statement took ${maxMs.toFixed(0)} ms (below 1,000 is wanted)`,
  )
}

/** Waits until the log's head reaches `end` or stops advancing. `took` is in milliseconds. */
async function waitForHead(
  organization: BenchOrganization,
  end: number,
  before: number,
): Promise<{ numbered: number; took: number }> {
  const start = performance.now()
  let head = before
  let movedAt = start
  while (head < end && performance.now() - movedAt < stallTimeoutMs) {
    const now = await organization.head()
    if (now > head) movedAt = performance.now()
    head = now
    await setTimeout(intervalMs)
  }
  return { numbered: head - before, took: movedAt - start }
}

/**
 * Samples the age of the sequencer's current statement. The returned maximum may be too low by
 * `intervalMs`.
 */
function watchSequencer({ database }: BenchOrganization): { stop(): Promise<number> } {
  let isStopped = false
  let maxMs = 0
  const sampling = (async () => {
    while (!isStopped) {
      const [row] = await database.query<{ age: number | null }>(
        `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float as age
         from pg_stat_activity
         where application_name like 'oxbow sequencer%' and state = 'active' and datname = current_database()`,
      )
      maxMs = Math.max(maxMs, row?.age ?? 0)
      await setTimeout(intervalMs)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await sampling
      return maxMs
    },
  }
}
