import { type Account, eventually } from '@oxbow/testkit'
import { type Figure, median, print, quantile } from '../figures.ts'
import { type BenchOrganization, createBenchOrganization, startProbedNode } from './bench-organization.ts'
import { follow } from './follower.ts'
import { runPgbench } from './pgbench.ts'

const turns = 3
const seconds = 6

/**
 * Measures sequenced events per second, the inserts of pgbench alone for comparison, and the lag at
 * half that rate.
 */
export async function benchSequencing(): Promise<Figure[]> {
  await using organization = await createBenchOrganization()
  const results: { alone: number; sequenced: number }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const alone = await runPgbench(organization, { seconds })
    await organization.database.query('truncate outbox')
    const { inserted, sequenced } = await measureSequencing(organization)
    results.push({ alone, sequenced })
    print(
      `turn ${turn}: pgbench alone inserts ${Math.round(alone)} rows/s; beside our node ${Math.round(inserted)}, of which ${Math.round(sequenced)} events/s get their number; ratio ${(sequenced / alone).toFixed(2)}`,
    )
  }
  const rate = median(results.map(({ sequenced }) => sequenced))
  const ratio = median(results.map(({ alone, sequenced }) => sequenced / alone))
  const lags = await lagsAt(organization, Math.round(rate / 2))
  return [
    {
      label: '(a) events sequenced',
      measured: `${Math.round(rate)}/s, ${ratio.toFixed(2)} of what pgbench alone inserts`,
    },
    {
      label: '(a) insert to delivery at half that rate',
      measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms`,
    },
  ]
}

/** Measures the rate of events, from the first insert until the last event has its number. */
async function measureSequencing(
  organization: BenchOrganization,
): Promise<{ inserted: number; sequenced: number }> {
  await using _node = await startProbedNode(organization)
  const before = await organization.head()
  const start = performance.now()
  const inserted = await runPgbench(organization, { seconds })
  await waitForEmptyOutbox(organization)
  return {
    inserted,
    sequenced: ((await organization.head()) - before) / ((performance.now() - start) / 1000),
  }
}

async function waitForEmptyOutbox({ database }: BenchOrganization): Promise<void> {
  await eventually(async () => {
    const [row] = await database.query<{ filled: boolean }>('select exists (select from outbox) as filled')
    return row?.filled === false
  }, 120_000)
}

async function lagsAt(organization: BenchOrganization, rate: number): Promise<number[]> {
  await using node = await startProbedNode(organization)
  await using follower = await follow(node.url, organization.accounts[0] as Account)
  await runPgbench(organization, { seconds, rate })
  return follower.arrivals.map(({ lag }) => lag)
}
