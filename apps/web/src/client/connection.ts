import { computed, effect, signal, untracked } from '@preact/signals'
import { accountState } from './store.ts'

/** The state of the connection to the server. */
export type Connection =
  | { status: 'starting' | 'live' }
  /** The session of this page has ended, or another account is signed in in this browser: see `session.ts`. */
  | { status: 'signed out' | 'other account' }
  /** Attempts have failed since this time; the next one is at `retryAt`. Both in milliseconds. */
  | { status: 'troubled'; since: number; retryAt: number }
  /** The server refuses requests for a permanent reason. */
  | { status: 'refused'; reason: string }

export const connection = signal<Connection>({ status: 'starting' })

/** Whether this page has no session any more. It then shows no data and makes no requests. */
export const hasEnded = computed(() => {
  const { status } = connection.value
  return status === 'signed out' || status === 'other account'
})

/** Records that the server responds. */
export function noteSuccess(): void {
  if (accountState.peek() && connection.peek().status !== 'live') connection.value = { status: 'live' }
}

/** Records a failed attempt. The next attempt follows after `waitMs`. */
export function noteTrouble(_error: unknown, waitMs: number): void {
  if (hasEnded.peek()) return
  const known = connection.peek()
  const since = known.status === 'troubled' ? known.since : Date.now()
  connection.value = { status: 'troubled', since, retryAt: Date.now() + waitMs }
}

/**
 * Calls the listener whenever the server responds again after failures. Returns a function that removes
 * the listener.
 */
export function onRecovered(listener: () => void): () => void {
  let wasLive = connection.peek().status === 'live'
  return effect(() => {
    const isLive = connection.value.status === 'live'
    if (isLive && !wasLive) untracked(listener)
    wasLive = isLive
  })
}

/** Records why the server permanently refuses to send events. */
export function noteRefused(error: unknown): void {
  connection.value = { status: 'refused', reason: String((error as Error).message ?? error) }
}
