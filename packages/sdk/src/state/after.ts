import assert from 'node:assert/strict'
import type { Event } from '@oxbow/contract'
import { applyEvent } from './apply-event.ts'
import type { Asked, State } from './state.ts'

// For tests only.

/** The state after the event, the same when it comes twice. */
export function after(state: State, event: object, asked: Asked = {}): State {
  return afterAll(state, [event], asked)
}

/** The state after these events, the same when all of them come twice. */
export function afterAll(state: State, events: readonly object[], asked: Asked = {}): State {
  const given = structuredClone(state)
  const fold = (start: State) =>
    events.reduce<State>((folded, event) => applyEvent(folded, { id: 5, ...event } as Event, asked), start)
  const once = fold(state)
  assert.deepEqual(state, given, 'the given state was changed')
  assert.deepEqual(fold(once), once)
  return once
}
