import { print } from '../figures.ts'
import { benchAudiences } from '../messages/audiences.ts'
import { growMessages } from './messages.ts'
import { growOrganizations } from './organizations.ts'
import { growPolls } from './polls.ts'

export interface GrowthOptions {
  /** Letters of the parts to run; all by default. */
  parts?: string
  /** Number of messages in the largest archive. */
  rows?: number
}

const all: Record<string, (options: GrowthOptions) => Promise<unknown>> = {
  m: ({ rows }) => growMessages(rows),
  s: () => benchAudiences(),
  p: () => growPolls(),
  o: () => growOrganizations(),
}

/**
 * Measures how costs grow with the number of stored messages (m), subscribers of a stream (s), parked
 * polls (p) and organizations (o).
 */
export async function benchGrowth(options: GrowthOptions): Promise<void> {
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    print(`growth (${letter})`)
    await run(options)
  }
}
