import { type Figure, say, sayTable } from '../figures.ts'
import { ArchiveKeeper } from './archive/archive-keeper.ts'
import { benchAudiences } from './audiences.ts'
import { benchDelivering } from './delivering.ts'
import { benchMarking } from './marking.ts'
import { benchReading } from './reading.ts'
import { benchSending } from './sending.ts'

export interface MessagesOptions {
  /** Letters; all without it. */
  parts?: string
  /** How many messages the large archive has. */
  rows?: number
  /** Show which functions take the time. */
  profile: boolean
}

type Part = (archives: ArchiveKeeper, options: MessagesOptions) => Promise<Figure[]>

const all: Record<string, Part> = {
  a: (_archives, options) => benchSending(options),
  b: () => benchAudiences(),
  c: benchReading,
  d: benchMarking,
  e: () => benchDelivering(),
}

const usualRows = 20_000_000

/** What messages take to be sent, read, marked and delivered, where streams are large and messages many. */
export async function benchMessages(options: MessagesOptions): Promise<void> {
  await using archives = new ArchiveKeeper(options.rows ?? usualRows)
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    const start = performance.now()
    say(`messages (${letter})`)
    figures.push(...(await run(archives, options)))
    say(`(${letter}) took ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  say('')
  sayTable(figures)
}
