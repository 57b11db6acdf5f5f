import type { Followed } from '@oxbow/sdk'

type Listener = (followed: Followed) => void

const listeners = new Set<Listener>()

/**
 * Calls the listener with the state after each registration, and with each event. It runs in the same
 * batch as the change of the store, so both are shown together. Returns a function that ends it.
 */
export function onFollowed(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceFollowed(followed: Followed): void {
  for (const listener of listeners) listener(followed)
}
