import { type Figure, say, sayTable } from '../figures.ts'
import { benchRelevance } from './relevance.ts'
import { benchSearching } from './searching.ts'
import { benchIndexing } from './sending.ts'

export interface SearchOptions {
  /** Letters; all without it. */
  parts?: string
  /** How many messages the archive has. */
  rows?: number
}

const all: Record<string, (options: SearchOptions) => Promise<Figure[]>> = {
  a: benchRelevance,
  b: benchSearching,
  c: benchIndexing,
}

/** What search finds, how soon, and what it costs those who send. */
export async function benchSearch(options: SearchOptions): Promise<void> {
  const figures: Figure[] = []
  for (const [letter, run] of Object.entries(all)) {
    if (options.parts && !options.parts.includes(letter)) continue
    say(`search (${letter})`)
    figures.push(...(await run(options)))
  }
  say('')
  sayTable(figures)
}
