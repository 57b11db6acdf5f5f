import type { Browser } from 'playwright-core'
import type { Team } from '../../../apps/web/test/figures/team.ts'

/** The organization and the browser that the parts of the benchmark share. */
export interface Bench {
  browser: Browser
  team: Team
  /** A node in a process of its own, so that the benchmark does not slow it down. */
  url: string
  profile: boolean
}
