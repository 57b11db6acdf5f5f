import { PerformanceObserver } from 'node:perf_hooks'

/** The longest of each, in milliseconds. */
export interface Stalls {
  /** From one turn of the event loop to another, by the clock: other processes may have had the processor meanwhile. */
  wall: number
  /** What the main thread itself worked from one turn to another. */
  work: number
  /** One collection of garbage, by the clock. */
  collection: number
}

/** Watches the event loop of its own process; returns a function that ends it. */
export function watchLoop(): () => Stalls {
  const longest: Stalls = { wall: 0, work: 0, collection: 0 }
  let [wall, work] = [performance.now(), threadTime()]
  const look = () => {
    const [wallNow, workNow] = [performance.now(), threadTime()]
    longest.wall = Math.max(longest.wall, wallNow - wall)
    longest.work = Math.max(longest.work, workNow - work)
    ;[wall, work] = [wallNow, workNow]
  }
  const timer = setInterval(look, 1)
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest.collection = Math.max(longest.collection, duration)
  })
  collections.observe({ entryTypes: ['gc'] })
  return () => {
    look()
    clearInterval(timer)
    collections.disconnect()
    return longest
  }
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
