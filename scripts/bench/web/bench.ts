import type { Browser } from 'playwright-core'
import type { Team } from '../../../apps/web/test/figures/team.ts'

/** The organization and the browser that the parts of the benchmark share. */
export interface Bench {
  browser: Browser
  team: Team
  /** URL of a node in a separate process, so that the benchmark does not slow it down. */
  url: string
  profile: boolean
}
