import { connectionOptions } from '@oxbow/server'
import type { Account } from '@oxbow/testkit'
import pg from 'pg'
import { median, print, quantile } from '../figures.ts'
import { type BenchOrganization, createBenchOrganization, startProbedNode } from './bench-organization.ts'
import { type Arrival, follow } from './follower.ts'
import { runPgbench } from './pgbench.ts'

const perSecond = 3_000
const sliceMs = 30_000

/** Checks that the lag does not grow while an old snapshot keeps PostgreSQL from removing deleted outbox rows. */
export async function benchOldSnapshot({ seconds = 180 }: { seconds?: number } = {}): Promise<void> {
  await using organization = await createBenchOrganization()
  await using node = await startProbedNode(organization)
  await using follower = await follow(node.url, organization.accounts[0] as Account)
  await using _snapshot = await holdSnapshot(organization)
  const start = performance.timeOrigin + performance.now()
  const rate = await runPgbench(organization, { seconds, rate: perSecond })
  const slices = Map.groupBy(follower.arrivals, ({ at }) => Math.floor((at - start) / sliceMs))
  for (const [number, arrivals] of slices) printSlice(number, arrivals)
  print(
    `old-snapshot: ${Math.round(rate)} events/s for ${seconds} s; at the end p99 below 100 ms from commit to delivery is wanted`,
  )
}

function printSlice(number: number, arrivals: readonly Arrival[]): void {
  const lags = arrivals.map(({ lag }) => lag)
  const from = (number * sliceMs) / 1000
  print(
    `from ${from} s: ${lags.length} events, median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms, longest ${quantile(lags, 1).toFixed(0)} ms`,
  )
}

async function holdSnapshot({ database }: BenchOrganization): Promise<AsyncDisposable> {
  const client = new pg.Client(connectionOptions(database.url))
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select 1')
  return { [Symbol.asyncDispose]: () => client.end() }
}
