import { setTimeout } from 'node:timers/promises'
import { type Figure, print } from '../figures.ts'
import type { Stalls } from '../probe/watch-loop.ts'
import { type Contestant, startContestants } from './contestants.ts'

const polls = 10_000
const rounds = 5
const requestIntervalMs = 5

/**
 * Measures the longest block of the event loop while one event is delivered to 10,000 polls: by
 * elapsed time, by processor time of the main thread, and by the response time of /health. With few
 * cores the polling process takes processor time from the server, which affects elapsed time and
 * /health, but not the processor time.
 */
export async function benchStalls(): Promise<Figure[]> {
  await using contestants = await startContestants(polls)
  const [we, they] = [await longestStalls(contestants.ours), await longestStalls(contestants.theirs)]
  return [
    {
      label: `(e) longest stop of the event loop, ${polls} polls`,
      measured: `${we.work.toFixed(0)} ms of work, ${we.wall.toFixed(0)} ms by the clock (bare server: ${they.work.toFixed(0)} and ${they.wall.toFixed(0)} ms)`,
      wanted: 'at most 50 ms',
    },
  ]
}

async function longestStalls(contestant: Contestant): Promise<Stalls> {
  await contestant.park(polls)
  await contestant.deliver()
  await contestant.park(0)
  const found: Stalls[] = []
  for (let round = 1; round <= rounds; round++) {
    await contestant.probe.startWatch()
    const health = watchHealth(contestant.url)
    const start = performance.now()
    await contestant.deliver()
    const took = performance.now() - start
    await contestant.park(0)
    const stalls = await contestant.probe.stopWatch()
    found.push(stalls)
    print(
      `${contestant.name}, fan-out ${round} in ${took.toFixed(0)} ms: ${show(stalls)}, /health ${(await health.stop()).toFixed(0)} ms`,
    )
  }
  return {
    wall: Math.max(...found.map(({ wall }) => wall)),
    work: Math.max(...found.map(({ work }) => work)),
    collection: Math.max(...found.map(({ collection }) => collection)),
  }
}

const show = ({ wall, work, collection }: Stalls) =>
  `longest stop ${wall.toFixed(0)} ms, work ${work.toFixed(0)} ms, garbage collection ${collection.toFixed(0)} ms`

/** Requests /health repeatedly. `stop` returns the longest response time in milliseconds. */
function watchHealth(url: string): { stop(): Promise<number> } {
  let isStopped = false
  let maxMs = 0
  const requesting = (async () => {
    while (!isStopped) {
      const start = performance.now()
      await (await fetch(`${url}/health`)).text()
      maxMs = Math.max(maxMs, performance.now() - start)
      await setTimeout(requestIntervalMs)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await requesting
      return maxMs
    },
  }
}
