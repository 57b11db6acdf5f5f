import { type Figure, print, printTable } from '../figures.ts'
import { benchChanging } from './changing.ts'
import { benchJoining } from './joining.ts'
import { benchListing } from './listing.ts'
import { benchRegistering } from './registering.ts'
import { benchSubscribing } from './subscribing.ts'

export interface SubscriptionsOptions {
  /** Letters of the parts to run; all by default. */
  parts?: string
  /** Whether to print the functions that take most processor time. */
  profile: boolean
}

const all: Record<string, (options: SubscriptionsOptions) => Promise<Figure[]>> = {
  a: benchSubscribing,
  b: benchListing,
  c: benchJoining,
  d: benchRegistering,
  e: benchChanging,
}

/** Measures subscriptions with many people and streams, and compares them with the minimum of SQL. */
export async function benchSubscriptions(options: SubscriptionsOptions): Promise<void> {
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    const start = performance.now()
    print(`subscriptions (${letter})`)
    figures.push(...(await run(options)))
    print(`(${letter}) took ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  print('')
  printTable(figures)
}
