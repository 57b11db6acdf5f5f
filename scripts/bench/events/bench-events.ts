import { type Figure, print, printTable } from '../figures.ts'
import { benchHttp } from '../http.ts'
import { benchFanOut } from './fan-out.ts'
import { benchLatency } from './latency.ts'
import { benchMemory } from './memory.ts'
import { benchSequencing } from './sequencing.ts'
import { benchStalls } from './stalls.ts'

export interface EventsOptions {
  /** Letters of the parts to run; all by default. */
  parts?: string
  /** Whether to print the functions that take most processor time. */
  profile: boolean
}

const all: Record<string, (options: EventsOptions) => Promise<Figure[]>> = {
  a: benchSequencing,
  b: benchFanOut,
  c: benchLatency,
  d: benchMemory,
  e: benchStalls,
  f: async (options) => {
    const ratio = await benchHttp(options)
    return [
      {
        label: '(f) GET /users/me',
        measured: `${ratio.toFixed(2)} of bare Fastify`,
        wanted: 'at least 0.5',
      },
    ]
  },
}

/**
 * Runs the benchmarks of the event system. Each also measures a bare server or bare SQL in the same
 * run.
 */
export async function benchEvents(options: EventsOptions): Promise<void> {
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    print(`events (${letter})`)
    figures.push(...(await run(options)))
  }
  print('')
  printTable(figures)
}
