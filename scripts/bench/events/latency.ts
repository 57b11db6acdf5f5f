import { setTimeout } from 'node:timers/promises'
import { type Account, eventually } from '@oxbow/testkit'
import { type Figure, median, quantile } from '../figures.ts'
import { createBenchOrganization, startProbedNode } from './bench-organization.ts'
import { follow } from './follower.ts'

const events = 1_000
const perSecond = 100

/**
 * Measures the time from the insert of an event to the response of a poll. The sequencer is poked
 * in the same way as by other nodes.
 */
export async function benchLatency(): Promise<Figure[]> {
  await using organization = await createBenchOrganization()
  await using node = await startProbedNode(organization)
  await using follower = await follow(node.url, organization.accounts[0] as Account)
  const start = performance.now()
  for (let number = 0; number < events; number++) {
    await organization.emit()
    await setTimeout(Math.max(0, start + (number * 1000) / perSecond - performance.now()))
  }
  await eventually(() => follower.arrivals.length === events)
  const lags = follower.arrivals.slice(perSecond).map(({ lag }) => lag)
  return [
    {
      label: `(c) commit to answer at ${perSecond} events/s`,
      measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms`,
    },
  ]
}
