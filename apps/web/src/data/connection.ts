import { signal } from '@preact/signals'
import { base } from './store.ts'

/** How the connection to the server is. */
export type Connection =
  | { status: 'starting' | 'live' | 'signed out' }
  /** Attempts fail since this time; the next one is made at `retryAt`. Both in milliseconds. */
  | { status: 'troubled'; since: number; retryAt: number }
  /** The server refuses for a reason that does not pass. */
  | { status: 'refused'; reason: string }

export const connection = signal<Connection>({ status: 'starting' })

/** Notes that the server answers. */
export function noteSuccess(): void {
  if (base.peek() && connection.peek().status !== 'live') connection.value = { status: 'live' }
}

/** Notes that an attempt has failed, and that the next one is made after this time. */
export function noteTrouble(_error: unknown, waitMs: number): void {
  const known = connection.peek()
  const since = known.status === 'troubled' ? known.since : Date.now()
  connection.value = { status: 'troubled', since, retryAt: Date.now() + waitMs }
}

/** Notes why following has ended. */
export function noteEnd(error: unknown): void {
  const { status, message } = error as { status?: number; message?: string }
  connection.value =
    status === 401 ? { status: 'signed out' } : { status: 'refused', reason: String(message ?? error) }
}
