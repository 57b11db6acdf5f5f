import { useEffect } from 'preact/hooks'
import type { Presence } from '../data/judge-presence.ts'
import { presenceOf, watchPresence } from '../data/presence.ts'

/** Follows the presence of a person as long as the component is shown. */
export function usePresence(user_id: number): Presence | undefined {
  useEffect(() => watchPresence(user_id), [user_id])
  return presenceOf(user_id)
}
