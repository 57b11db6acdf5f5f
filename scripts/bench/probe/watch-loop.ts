import { PerformanceObserver } from 'node:perf_hooks'

/** The longest stalls of the event loop, in milliseconds. */
export interface Stalls {
  /** Elapsed time between two turns of the event loop, which includes time of other processes. */
  wall: number
  /** Processor time of the main thread between two turns. */
  work: number
  /** Elapsed time of a garbage collection. */
  collection: number
}

/**
 * Watches the event loop of this process. Returns a function that stops watching and returns the
 * result.
 */
export function watchLoop(): () => Stalls {
  const longest: Stalls = { wall: 0, work: 0, collection: 0 }
  let [wall, work] = [performance.now(), threadTime()]
  const sample = () => {
    const [wallNow, workNow] = [performance.now(), threadTime()]
    longest.wall = Math.max(longest.wall, wallNow - wall)
    longest.work = Math.max(longest.work, workNow - work)
    ;[wall, work] = [wallNow, workNow]
  }
  const timer = setInterval(sample, 1)
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest.collection = Math.max(longest.collection, duration)
  })
  collections.observe({ entryTypes: ['gc'] })
  return () => {
    sample()
    clearInterval(timer)
    collections.disconnect()
    return longest
  }
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
