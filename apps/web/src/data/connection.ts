import { signal } from '@preact/signals'
import { base } from './store.ts'

/** The state of the connection to the server. */
export type Connection =
  | { status: 'starting' | 'live' | 'signed out' }
  /** Attempts have failed since this time; the next one is at `retryAt`. Both in milliseconds. */
  | { status: 'troubled'; since: number; retryAt: number }
  /** The server refuses requests for a permanent reason. */
  | { status: 'refused'; reason: string }

export const connection = signal<Connection>({ status: 'starting' })

/** Records that the server answers. */
export function noteSuccess(): void {
  if (base.peek() && connection.peek().status !== 'live') connection.value = { status: 'live' }
}

/** Records a failed attempt, and that the next one follows after this time. */
export function noteTrouble(_error: unknown, waitMs: number): void {
  const known = connection.peek()
  const since = known.status === 'troubled' ? known.since : Date.now()
  connection.value = { status: 'troubled', since, retryAt: Date.now() + waitMs }
}

/** Records why following has ended. */
export function noteEnd(error: unknown): void {
  const { status, message } = error as { status?: number; message?: string }
  connection.value =
    status === 401 ? { status: 'signed out' } : { status: 'refused', reason: String(message ?? error) }
}
