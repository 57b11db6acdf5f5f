import { type Figure, print, printTable } from '../figures.ts'
import { SharedArchives } from './archive/shared-archives.ts'
import { benchAudiences } from './audiences.ts'
import { benchDelivering } from './delivering.ts'
import { benchLinking } from './linking.ts'
import { benchMarking } from './marking.ts'
import { benchConversations, benchDates } from './paging.ts'
import { benchReading } from './reading.ts'
import { benchSending } from './sending.ts'

export interface MessagesOptions {
  /** Letters of the parts to run; all by default. */
  parts?: string
  /** Number of messages in the large archive. */
  rows?: number
  /** Whether to print the functions that take most processor time. */
  profile: boolean
}

type Part = (archives: SharedArchives, options: MessagesOptions) => Promise<Figure[]>

const all: Record<string, Part> = {
  a: (_archives, options) => benchSending(options),
  b: () => benchAudiences(),
  c: benchReading,
  d: benchMarking,
  e: () => benchDelivering(),
  f: () => benchLinking(),
  g: benchConversations,
  h: benchDates,
}

const defaultRows = 20_000_000

/** Measures sending, reading, marking and delivering messages with large streams and many messages. */
export async function benchMessages(options: MessagesOptions): Promise<void> {
  await using archives = new SharedArchives(options.rows ?? defaultRows)
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    const start = performance.now()
    print(`messages (${letter})`)
    figures.push(...(await run(archives, options)))
    print(`(${letter}) took ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  print('')
  printTable(figures)
}
