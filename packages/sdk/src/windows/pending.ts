import type { Event } from '@oxbow/contract'
import { applyEvent } from '../state/apply-event.ts'
import type { RegisterOptions, State } from '../state/state.ts'
import { changeMessage, type EventLike } from './change-message.ts'
import type { WindowMessage } from './message.ts'

/**
 * Changes by the account that no event has confirmed yet, each in the form of the event that it
 * will cause. State and windows are changed only by the server's events; pending changes are shown
 * on top. The real event may arrive before its pending change is removed. The change is then
 * applied twice, which affects at most the order of reactions.
 */
export type PendingChanges = readonly EventLike[]

/** Returns the state with pending changes, or the same object if there are none. */
export function showState(base: State, pending: PendingChanges, options: RegisterOptions = {}): State {
  return pending.reduce((state, event) => applyEvent(state, event as Event, options), base)
}

/**
 * Returns the message with pending changes, the same object if no change concerns it, or undefined
 * if a change deletes it.
 */
export function showMessage(base: WindowMessage, pending: PendingChanges): WindowMessage | undefined {
  return pending.reduce<WindowMessage | undefined>(
    (message, event) => message && changeMessage(message, event),
    base,
  )
}
