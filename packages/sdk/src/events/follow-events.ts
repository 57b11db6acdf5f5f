import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import type { ClientOptions } from '../request.ts'
import type { State } from '../state/state.ts'
import type { Backoff } from './backoff.ts'
import { follow } from './follow.ts'
import type { Transport } from './receive.ts'

export interface FollowOptions {
  /** Arguments of `register`; by default all state and all events. */
  registration?: ArgumentsOf<typeof api.events.register>
  /** `poll` works everywhere; `stream` saves a request per response. */
  transport?: Transport
  /** Ends the iteration without an error. */
  signal?: AbortSignal
  /** Called before each wait after a failure, for instance to show that the connection is lost. */
  onTrouble?: (error: unknown, waitMilliseconds: number) => void
  backoff?: Backoff
  /** The connection counts as lost after this time without any bytes from the server. */
  maxSilenceMs?: number
}

/**
 * The state, first and again whenever the queue was lost; in between each event once, with the
 * state after it.
 */
export type Followed = { kind: 'state'; state: State } | { kind: 'event'; event: Event; state: State }

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
