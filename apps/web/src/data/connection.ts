import { effect, signal, untracked } from '@preact/signals'
import { base } from './store.ts'

/** The state of the connection to the server. */
export type Connection =
  | { status: 'starting' | 'live' | 'signed out' }
  /** Attempts have failed since this time; the next one is at `retryAt`. Both in milliseconds. */
  | { status: 'troubled'; since: number; retryAt: number }
  /** The server refuses requests for a permanent reason. */
  | { status: 'refused'; reason: string }

export const connection = signal<Connection>({ status: 'starting' })

/** Records that the server responds. */
export function noteSuccess(): void {
  if (base.peek() && connection.peek().status !== 'live') connection.value = { status: 'live' }
}

/** Records a failed attempt. The next attempt follows after `waitMs`. */
export function noteTrouble(_error: unknown, waitMs: number): void {
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

/** Resolves when the server responds again after failures. */
export async function whenRecovered(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onRecovered(resolve)
  await promise
  stop()
}

/** Records why the client stopped following events. */
export function noteEnd(error: unknown): void {
  const { status, message } = error as { status?: number; message?: string }
  connection.value =
    status === 401 ? { status: 'signed out' } : { status: 'refused', reason: String(message ?? error) }
}
