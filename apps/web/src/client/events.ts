import type { Followed } from '@oxbow/sdk'
import type { Kept } from './device/kept.ts'

/** A listener gets `kept` only with a state that was restored from the device. */
type Listener = (followed: Followed, kept?: Kept) => void

const listeners = new Set<Listener>()

/**
 * Calls the listener with the state after each registration, and with each event. The listener runs
 * in the same batch as the change of the store, so that both are rendered together. Returns a
 * function that removes the listener.
 */
export function onFollowed(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceFollowed(followed: Followed, kept?: Kept): void {
  for (const listener of listeners) listener(followed, kept)
}
