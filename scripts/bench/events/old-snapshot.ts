import { connectionOptions } from '@oxbow/server'
import type { Account } from '@oxbow/testkit'
import pg from 'pg'
import { median, quantile, say } from '../figures.ts'
import { type Arrival, follow } from './follower.ts'
import { type Garden, plantGarden, startProbedNode } from './garden.ts'
import { runPgbench } from './pgbench.ts'

const perSecond = 3_000
const slice = 30_000

/** Many events while an old snapshot keeps PostgreSQL from removing what the sequencer deleted: the lag must not grow. */
export async function benchOldSnapshot({ seconds = 180 }: { seconds?: number } = {}): Promise<void> {
  await using garden = await plantGarden()
  await using node = await startProbedNode(garden)
  await using follower = await follow(node.url, garden.accounts[0] as Account)
  await using _snapshot = await holdSnapshot(garden)
  const start = performance.timeOrigin + performance.now()
  const rate = await runPgbench(garden, { seconds, rate: perSecond })
  const slices = Map.groupBy(follower.arrivals, ({ at }) => Math.floor((at - start) / slice))
  for (const [number, arrivals] of slices) saySlice(number, arrivals)
  say(
    `old-snapshot: ${Math.round(rate)} events/s for ${seconds} s; at the end p99 below 100 ms from commit to delivery is wanted`,
  )
}

function saySlice(number: number, arrivals: readonly Arrival[]): void {
  const lags = arrivals.map(({ lag }) => lag)
  const from = (number * slice) / 1000
  say(
    `from ${from} s: ${lags.length} events, median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms, longest ${quantile(lags, 1).toFixed(0)} ms`,
  )
}

async function holdSnapshot({ database }: Garden): Promise<AsyncDisposable> {
  const client = new pg.Client(connectionOptions(database.url))
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select 1')
  return { [Symbol.asyncDispose]: () => client.end() }
}
