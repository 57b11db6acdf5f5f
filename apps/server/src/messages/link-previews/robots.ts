import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import { fetchOutbound } from '../../platform/outbound/fetch-outbound.ts'
import { perNode } from '../../platform/per-node.ts'
import { isPathAllowed, parseRobotsTxt, type RobotsRules } from './page/robots-txt.ts'

/**
 * The name that robots.txt files and pages use for this program. Its requests contain the name too.
 */
export const robotName = 'Oxbow'

const maxHosts = 1_000
const keepMs = 3_600_000
const maxBytes = 512 * 1_024
const timeoutMs = 5_000

interface KnownRules {
  rules: Promise<RobotsRules>
  at: number
}

/** The rules of recently visited hosts, by origin. Each node fetches the rules itself. */
const rulesByOrigin = perNode({
  name: 'rules of robots.txt',
  create: () => new BoundedCache<string, KnownRules>(maxHosts),
  countEntries: ({ size }) => size,
})

const nothingAllowed: RobotsRules = [{ isAllowed: false, pattern: '/' }]

/** Returns whether the host's robots.txt allows fetching this URL. */
export async function isFetchAllowed(app: App, url: string, signal: AbortSignal): Promise<boolean> {
  const { origin, pathname, search } = new URL(url)
  const cache = rulesByOrigin(app)
  let entry = cache.get(origin)
  if (!entry || performance.now() - entry.at > keepMs) {
    entry = { rules: fetchRules(app, origin, signal), at: performance.now() }
    cache.set(origin, entry)
    // Failures are not cached, because they may be temporary.
    entry.rules.catch(() => cache.delete(origin))
  }
  return isPathAllowed(await entry.rules, pathname + search)
}

/**
 * Fetches the rules of a host. A host without robots.txt allows everything. A host that fails to
 * deliver the file allows nothing for now.
 */
async function fetchRules(app: App, origin: string, signal: AbortSignal): Promise<RobotsRules> {
  const { status, body } = await fetchOutbound(app.outbound, `${origin}/robots.txt`, {
    accept: 'text/plain',
    maxBytes,
    timeoutMs,
    signal,
  })
  if (status >= 500 || status === 429) return nothingAllowed
  return status >= 200 && status < 300 ? parseRobotsTxt(body.toString('utf8'), robotName) : []
}
