import { setTimeout } from 'node:timers/promises'
import { type Account, eventually } from '@oxbow/testkit'
import { type Figure, median, quantile } from '../figures.ts'
import { follow } from './follower.ts'
import { plantGarden, startProbedNode } from './garden.ts'

const events = 1_000
const perSecond = 100

/** From the insert, a moment before its commit, to the poll's answer; the sequencer is told as other nodes tell it. */
export async function benchLatency(): Promise<Figure[]> {
  await using garden = await plantGarden()
  await using node = await startProbedNode(garden)
  await using follower = await follow(node.url, garden.accounts[0] as Account)
  const start = performance.now()
  for (let number = 0; number < events; number++) {
    await garden.emit()
    await setTimeout(Math.max(0, start + (number * 1000) / perSecond - performance.now()))
  }
  await eventually(() => follower.arrivals.length === events)
  const lags = follower.arrivals.slice(perSecond).map(({ lag }) => lag)
  return [
    {
      what: `(c) commit to answer at ${perSecond} events/s`,
      measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms`,
    },
  ]
}
