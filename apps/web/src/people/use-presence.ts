import { useEffect } from 'preact/hooks'
import type { Presence } from '../data/judge-presence.ts'
import { presenceOf, watchPresence } from '../data/presence.ts'

/** Subscribes to the presence of a person while the component is shown. */
export function usePresence(user_id: number): Presence | undefined {
  useEffect(() => watchPresence(user_id), [user_id])
  return presenceOf(user_id)
}
