import type { App } from '../app.ts'
import { NetworkLimiter } from './network-limiter.ts'
import { RateLimiter } from './request-limits.ts'

/** Counted requests reach the other processes of the machine after about this long. */
const sharingMs = 20

type Changes<Key> = readonly (readonly [key: Key, change: number])[]

/**
 * Creates a limiter of accounts. The processes of one `oxbow serve --processes` count together: the limit
 * holds for all of them, except for requests that they admit within the same few milliseconds.
 */
export function makeRateLimiter(app: Pick<App, 'peers'>, name: string, limit: number): RateLimiter {
  const limiter = new RateLimiter(limit, shareCounts<number>(app, name))
  app.peers?.onBroadcast(name, (changes: Changes<number>) => {
    for (const [account, change] of changes) limiter.addFromPeer(account, change)
  })
  return limiter
}

/** Creates a limiter of networks, which counts together with the other processes like `makeRateLimiter`. */
export function makeNetworkLimiter(
  app: Pick<App, 'peers'>,
  name: string,
  limit: number,
  periodMs: number,
): NetworkLimiter {
  const limiter = new NetworkLimiter(limit, periodMs, shareCounts<string>(app, name))
  app.peers?.onBroadcast(name, (changes: Changes<string>) => {
    for (const [network, change] of changes) limiter.addFromPeer(network, change)
  })
  return limiter
}

/**
 * Returns a function that sends a changed count to the other processes; undefined if there are none.
 * Changes are collected for some milliseconds, because a message per request would be expensive.
 */
function shareCounts<Key>(
  { peers }: Pick<App, 'peers'>,
  name: string,
): ((key: Key, change: number) => void) | undefined {
  if (!peers) return undefined
  let unsent = new Map<Key, number>()
  const send = () => {
    const changes = unsent
    unsent = new Map()
    peers.broadcast(name, [...changes])
  }
  return (key, change) => {
    if (unsent.size === 0) setTimeout(send, sharingMs).unref()
    unsent.set(key, (unsent.get(key) ?? 0) + change)
  }
}
