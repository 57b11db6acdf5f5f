import type { PresenceStatus } from '@oxbow/contract'

/** The times at which a client last reported its user as active and as idle. */
export interface Times {
  active_at: Date | null
  idle_at: Date | null
}

export interface ReportOutcome {
  times: Times
  /** Whether an event is sent to everyone. */
  isNews: boolean
}

/**
 * A user without an active report for this long counts as inactive. Clients report every minute;
 * ten seconds allow for delay.
 */
const activeTimeoutMs = 70_000

/**
 * Returns the new times after a report, or undefined if nothing changes. A report of idle sends no
 * event. It is ignored if the user was active a moment ago, because it may come from another
 * browser window.
 */
export function applyReport(
  stored: Times | undefined,
  status: PresenceStatus,
  at: Date,
): ReportOutcome | undefined {
  if (!stored) return { times: withTime({ active_at: null, idle_at: null }, status, at), isNews: true }
  const newest = Math.max(toTime(stored.active_at), toTime(stored.idle_at))
  const isOld = at.getTime() - newest > activeTimeoutMs
  const wasActive = isActive(stored)
  if (wasActive && !isOld && status === 'idle') return undefined
  // The clock of the node that wrote the last report may be ahead of this node's clock.
  const times = withTime(stored, status, new Date(Math.max(at.getTime(), newest)))
  return { times, isNews: status === 'active' && (isOld || !wasActive) }
}

const isActive = ({ active_at, idle_at }: Times): boolean => toTime(active_at) >= toTime(idle_at)

const toTime = (date: Date | null): number => date?.getTime() ?? Number.NEGATIVE_INFINITY

const withTime = (times: Times, status: PresenceStatus, at: Date): Times =>
  status === 'active' ? { ...times, active_at: at } : { ...times, idle_at: at }
