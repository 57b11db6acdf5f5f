import type { ClientOptions } from '../request.ts'
import { type Followed, type FollowOptions, follow } from './follow.ts'

export interface Follower extends AsyncIterableIterator<Followed, void, void>, AsyncDisposable {
  return(): Promise<IteratorResult<Followed, void>>
}

const defaults = {
  registration: {},
  transport: 'poll',
  backoff: { firstMs: 1_000, maxMs: 60_000 },
  // The server sends a heartbeat at least every 55 seconds.
  maxSilenceMs: 90_000,
} as const

/**
 * Iterates over the events of an organization from now on. Temporary failures are retried with
 * backoff; the iteration throws permanent ones, such as a revoked key. Ending the iteration, or
 * aborting, deletes the queue and leaves no timer or connection behind.
 */
export function followEvents(options: ClientOptions, followOptions: FollowOptions = {}): Follower {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  if (followOptions.signal?.aborted) leave()
  followOptions.signal?.addEventListener('abort', leave, { signal: leaving.signal })
  const followed = follow(options, { ...defaults, ...followOptions }, leaving.signal)
  const next = async () => {
    const result = await followed.next().catch((error: unknown) => {
      leave()
      throw error
    })
    if (result.done) leave()
    return result
  }
  const end = () => {
    // Aborts first, because a generator that awaits an event would handle `return` only after that
    // event.
    leave()
    return followed.return()
  }
  const follower: Follower = {
    next,
    return: end,
    [Symbol.asyncIterator]: () => follower,
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
  return follower
}
