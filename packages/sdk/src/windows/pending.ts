import type { Event } from '@oxbow/contract'
import { applyEvent } from '../state/apply-event.ts'
import type { RegisterOptions, State } from '../state/state.ts'
import { changeMessage, type EventLike } from './change-message.ts'
import type { WindowMessage } from './message.ts'

/**
 * Changes that the account made and the server has not told yet, each as the event that it will
 * cause. State and windows are changed by the server's events only; pending changes are shown over them. The real
 * event may come before its pending one is taken back: then it is applied twice, which changes at most the order of reactions.
 */
export type PendingChanges = readonly EventLike[]

/** Returns the state with pending changes; the same object if there are none. */
export function showState(base: State, pending: PendingChanges, asked: RegisterOptions = {}): State {
  return pending.reduce((state, event) => applyEvent(state, event as Event, asked), base)
}

/**
 * Returns the message with pending changes; the same object if none concerns it, and undefined if
 * one deletes it.
 */
export function showMessage(base: WindowMessage, pending: PendingChanges): WindowMessage | undefined {
  return pending.reduce<WindowMessage | undefined>(
    (message, event) => message && changeMessage(message, event),
    base,
  )
}
