import { startNodeProcess } from '@oxbow/testkit'
import { launchBrowser } from '@oxbow/testkit/browser'
import { createTeam, wholeTeam } from '../../../apps/web/test/figures/team.ts'
import { buildWeb } from '../../build/build-web.ts'
import { bundleOxbow } from '../../build/bundle-oxbow.ts'
import { type Figure, print, printTable } from '../figures.ts'
import type { Bench } from './bench.ts'
import { benchLargeOrganization } from './large-organization.ts'
import { benchMemory } from './memory.ts'
import { benchOpening } from './opening.ts'
import { benchScrolling } from './scrolling.ts'
import { benchServing } from './serving.ts'
import { benchStarting } from './starting.ts'
import { benchWriting } from './writing.ts'

export interface WebOptions {
  /** Letters of the parts to run; all by default. */
  parts?: string
  /** Whether to print the functions that take most processor time. */
  profile: boolean
  /** Number of messages in the large organization; 5 million by default. */
  rows?: number
}

const browserParts: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  b: benchStarting,
  c: benchOpening,
  d: benchWriting,
  e: benchScrolling,
  f: benchMemory,
}

/**
 * Measures the web client in Chromium. Part (a) measures how fast a node serves it, and part (g) a
 * large organization.
 */
export async function benchWeb(options: WebOptions): Promise<void> {
  const isWanted = (letter: string) => !options.parts || options.parts.includes(letter)
  if (isWanted('a')) await benchServing(options)
  const letters = Object.keys(browserParts).filter(isWanted)
  if (letters.length > 0) await benchTeam(options, letters)
  if (isWanted('g')) await benchLargeOrganization(options)
}

async function benchTeam(options: WebOptions, letters: readonly string[]): Promise<void> {
  process.env.OXBOW_WEB_DIR = await buildWeb()
  process.env.OXBOW_TEST_PROGRAM = await bundleOxbow()
  const team = await createTeam(wholeTeam)
  const browser = await launchBrowser()
  const figures: Figure[] = []
  try {
    await using node = await startNodeProcess({
      database_url: team.world.database.url,
      env: { OXBOW_WEB_DIR: process.env.OXBOW_WEB_DIR },
    })
    for (const letter of letters) {
      const start = performance.now()
      const found = await browserParts[letter]?.({ browser, team, url: node.url, profile: options.profile })
      figures.push(...(found ?? []))
      print(`web (${letter}) took ${((performance.now() - start) / 1000).toFixed(0)} s`)
    }
  } finally {
    await browser.close()
    await team.world[Symbol.asyncDispose]()
  }
  print('')
  printTable(figures)
}
