import assert from 'node:assert/strict'
import type { Event } from '@oxbow/contract'
import { applyEvent } from '../src/state/apply-event.ts'
import type { RegisterOptions, State } from '../src/state/state.ts'

// Helpers for tests.

/** Returns the state after the event, and asserts that applying it twice gives the same state. */
export function after(state: State, event: object, options: RegisterOptions = {}): State {
  return afterAll(state, [event], options)
}

/** Returns the state after these events, and asserts that applying all of them twice gives the same state. */
export function afterAll(state: State, events: readonly object[], options: RegisterOptions = {}): State {
  const stateBefore = structuredClone(state)
  const fold = (start: State) =>
    events.reduce<State>((folded, event) => applyEvent(folded, { id: 5, ...event } as Event, options), start)
  const once = fold(state)
  assert.deepEqual(state, stateBefore, 'the given state was changed')
  assert.deepEqual(fold(once), once)
  return once
}
