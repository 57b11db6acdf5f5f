import { type Figure, print, printTable } from '../figures.ts'
import { benchRelevance } from './relevance.ts'
import { benchSearching } from './searching.ts'
import { benchIndexing } from './sending.ts'

export interface SearchOptions {
  /** Letters of the parts to run; all by default. */
  parts?: string
  /** Number of messages in the archive. */
  rows?: number
}

/** The parts of the benchmark, by the letters that `parts` selects. */
const benchmarks: Record<string, (options: SearchOptions) => Promise<Figure[]>> = {
  a: benchRelevance,
  b: benchSearching,
  c: benchIndexing,
}

/** Measures the relevance and the speed of search, and the cost of the index for a send. */
export async function benchSearch(options: SearchOptions): Promise<void> {
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(benchmarks)) {
    if (options.parts && !options.parts.includes(letter)) continue
    print(`search (${letter})`)
    figures.push(...(await run(options)))
  }
  print('')
  printTable(figures)
}
