import type { Followed } from '@oxbow/sdk'
import type { Kept } from '../device/kept.ts'

/** A state that was kept on the device comes with what else was kept. */
type Listener = (followed: Followed, kept?: Kept) => void

const listeners = new Set<Listener>()

/**
 * Calls the listener with the state after each registration, and with each event. It runs in the same
 * batch as the change of the store, so both are shown together. Returns a function that ends it.
 */
export function onFollowed(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceFollowed(followed: Followed, kept?: Kept): void {
  for (const listener of listeners) listener(followed, kept)
}
