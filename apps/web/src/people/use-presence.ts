import type { UserId } from '@oxbow/contract'
import { useEffect } from 'preact/hooks'
import type { Presence } from '../client/people/judge-presence.ts'
import { presenceOf, watchPresence } from '../client/people/presence.ts'

/** Subscribes to the presence of a person while the component is shown. */
export function usePresence(user_id: UserId): Presence | undefined {
  useEffect(() => watchPresence(user_id), [user_id])
  return presenceOf(user_id)
}
