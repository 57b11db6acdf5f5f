import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import type { ClientOptions } from '../request.ts'
import type { State } from '../state/state.ts'
import { follow } from './follow.ts'
import type { Patience } from './pause.ts'
import type { Transport } from './receive.ts'

export interface FollowOptions {
  /** What is asked of `register`; by default everything. */
  registration?: ArgumentsOf<typeof api.events.register>
  /** `poll` works everywhere; `stream` saves a request for each answer. */
  transport?: Transport
  /** Ends the iteration without an error. */
  signal?: AbortSignal
  /** Called before each wait after a failure, to show that the connection is lost. */
  onTrouble?: (error: unknown, waitMilliseconds: number) => void
  patience?: Patience
  /** The connection is taken to be lost when the server is silent for so long, in milliseconds. */
  silence?: number
}

/** First the state, and again whenever the queue was lost; in between every event, once, with the state after it. */
export type Followed = { kind: 'state'; state: State } | { kind: 'event'; event: Event; state: State }

export interface Follower extends AsyncIterableIterator<Followed, void, void>, AsyncDisposable {
  return(): Promise<IteratorResult<Followed, void>>
}

const usual = {
  registration: {},
  transport: 'poll',
  patience: { first: 1_000, longest: 60_000 },
  // The server shows a sign of life every 55 seconds at the latest.
  silence: 90_000,
} as const

/**
 * What happens in an organization, from now on. Failures that pass are waited out; the iteration throws what does not
 * pass, such as a revoked key. Whoever stops iterating, or aborts, leaves no queue, timer or connection behind.
 */
export function followEvents(options: ClientOptions, given: FollowOptions = {}): Follower {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  if (given.signal?.aborted) leave()
  given.signal?.addEventListener('abort', leave, { signal: leaving.signal })
  const followed = follow(options, { ...usual, ...given }, leaving.signal)
  const next = async () => {
    const result = await followed.next().catch((error: unknown) => {
      leave()
      throw error
    })
    if (result.done) leave()
    return result
  }
  const end = () => {
    // A generator that waits for an event would only hear of it after that event.
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
