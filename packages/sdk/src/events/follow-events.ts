import type { Caller } from '../request.ts'
import { type Followed, type FollowOptions, follow } from './follow.ts'
import { Waker } from './waker.ts'

export interface Follower extends AsyncIterableIterator<Followed, void, void>, AsyncDisposable {
  return(): Promise<IteratorResult<Followed, void>>
  /** Ends the wait after a failure immediately, for instance when the network is back. */
  wake(): void
  /**
   * Ends a wait immediately, and replaces an open connection. Use it after a sleep, or if an
   * expected event does not arrive, because the connection may be dead without having been closed.
   * No event is lost or repeated.
   */
  reconnect(): void
}

const defaults = {
  registration: {},
  transport: 'poll',
  backoff: { firstMs: 1_000, maxMs: 60_000 },
  // The server sends a heartbeat at least every 55 seconds.
  maxSilenceMs: 90_000,
  // The server sends the first bytes of a stream immediately.
  maxFirstByteMs: 5_000,
} as const

/**
 * Iterates over the events of an organization from now on. Temporary failures are retried with
 * backoff; permanent failures, such as a revoked key, are thrown. When the iteration ends or is
 * aborted, the queue is deleted, unless `keepsQueue` is set, and no timer or connection remains.
 */
export function followQueue(caller: Caller, followOptions: FollowOptions = {}): Follower {
  const waker = new Waker()
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  if (followOptions.signal?.aborted) leave()
  followOptions.signal?.addEventListener('abort', leave, { signal: leaving.signal })
  const followed = follow(caller, { ...defaults, ...followOptions, waker }, leaving.signal)
  const next = async () => {
    const result = await followed.next().catch((error: unknown) => {
      leave()
      throw error
    })
    if (result.done) leave()
    return result
  }
  const end = () => {
    // Aborts first, because a generator that awaits an event handles `return` only after that event.
    leave()
    return followed.return()
  }
  const follower: Follower = {
    next,
    return: end,
    wake: () => waker.wake(),
    reconnect: () => waker.reconnect(),
    [Symbol.asyncIterator]: () => follower,
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
  return follower
}
