import { type Account, eventually } from '@oxbow/testkit'
import { type Figure, median, quantile, say } from '../figures.ts'
import { follow } from './follower.ts'
import { type Garden, plantGarden, startProbedNode } from './garden.ts'
import { runPgbench } from './pgbench.ts'

const turns = 3
const seconds = 6

/** Events that get their number in a second, beside what pgbench alone can insert; and the lag at half that rate. */
export async function benchSequencing(): Promise<Figure[]> {
  await using garden = await plantGarden()
  const results: { alone: number; sequenced: number }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const alone = await runPgbench(garden, { seconds })
    await garden.database.query('truncate outbox')
    const { inserted, sequenced } = await sequence(garden)
    results.push({ alone, sequenced })
    say(
      `turn ${turn}: pgbench alone inserts ${Math.round(alone)} rows/s; beside our node ${Math.round(inserted)}, of which ${Math.round(sequenced)} events/s get their number; ratio ${(sequenced / alone).toFixed(2)}`,
    )
  }
  const rate = median(results.map(({ sequenced }) => sequenced))
  const ratio = median(results.map(({ alone, sequenced }) => sequenced / alone))
  const lags = await lagsAt(garden, Math.round(rate / 2))
  return [
    {
      what: '(a) events sequenced',
      measured: `${Math.round(rate)}/s, ${ratio.toFixed(2)} of what pgbench alone inserts`,
    },
    {
      what: '(a) insert to delivery at half that rate',
      measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms`,
    },
  ]
}

/** From the first insert to the last number. */
async function sequence(garden: Garden): Promise<{ inserted: number; sequenced: number }> {
  await using _node = await startProbedNode(garden)
  const before = await garden.head()
  const start = performance.now()
  const inserted = await runPgbench(garden, { seconds })
  await waitForEmptyOutbox(garden)
  return { inserted, sequenced: ((await garden.head()) - before) / ((performance.now() - start) / 1000) }
}

async function waitForEmptyOutbox({ database }: Garden): Promise<void> {
  await eventually(async () => {
    const [row] = await database.query<{ filled: boolean }>('select exists (select from outbox) as filled')
    return row?.filled === false
  }, 120_000)
}

async function lagsAt(garden: Garden, rate: number): Promise<number[]> {
  await using node = await startProbedNode(garden)
  await using follower = await follow(node.url, garden.accounts[0] as Account)
  await runPgbench(garden, { seconds, rate })
  return follower.arrivals.map(({ lag }) => lag)
}
