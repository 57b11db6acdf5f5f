import { type Figure, say, sayTable } from '../figures.ts'
import { benchChanging } from './changing.ts'
import { benchJoining } from './joining.ts'
import { benchListing } from './listing.ts'
import { benchRegistering } from './registering.ts'
import { benchSubscribing } from './subscribing.ts'

export interface SubscriptionsOptions {
  /** Letters; all without it. */
  parts?: string
  /** Show which functions take the time. */
  profile: boolean
}

const all: Record<string, (options: SubscriptionsOptions) => Promise<Figure[]>> = {
  a: benchSubscribing,
  b: benchListing,
  c: benchJoining,
  d: benchRegistering,
  e: benchChanging,
}

/** What becomes of subscriptions where people and streams are many, beside the SQL that is needed at the least. */
export async function benchSubscriptions(options: SubscriptionsOptions): Promise<void> {
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    const start = performance.now()
    say(`subscriptions (${letter})`)
    figures.push(...(await run(options)))
    say(`(${letter}) took ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  say('')
  sayTable(figures)
}
