import type { SlimPresence } from '@oxbow/contract'

type Availability = 'active' | 'idle' | 'offline'

export interface Presence {
  readonly availability: Availability
  /**
   * Time of the last activity, in milliseconds; undefined if it is unknown, or if the person is
   * active now.
   */
  readonly lastSeen: number | undefined
}

/** Clients report once a minute, so a person is shown as offline only after two missed reports. */
const freshSeconds = 140

/**
 * Returns whether a person is active, idle or offline, by the newest reports of their clients.
 * `now` is the server's time in seconds.
 */
export function judgePresence(reports: SlimPresence | undefined, now: number): Presence {
  const { active_timestamp: active = 0, idle_timestamp: idle = 0 } = reports ?? {}
  if (now - active <= freshSeconds) return { availability: 'active', lastSeen: undefined }
  const newest = Math.max(active, idle)
  if (now - idle <= freshSeconds)
    return { availability: 'idle', lastSeen: active > 0 ? active * 1000 : undefined }
  return { availability: 'offline', lastSeen: newest > 0 ? newest * 1000 : undefined }
}
