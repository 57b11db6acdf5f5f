import type { PresenceStatus } from '@oxbow/contract'

/** When a program last said that its user is active, and that they are idle. */
export interface Times {
  active_at: Date | null
  idle_at: Date | null
}

export interface Judged {
  times: Times
  /** Whether everyone is told. */
  isNews: boolean
}

/** A program that reports every minute and is a little late is still there. */
const patience = 70_000

/**
 * What a report changes; undefined: nothing. Going idle is no news, and not believed of someone who was active a moment
 * ago: another window of the same program may have said so.
 */
export function judgeReport(stored: Times | undefined, status: PresenceStatus, at: Date): Judged | undefined {
  if (!stored) return { times: withTime({ active_at: null, idle_at: null }, status, at), isNews: true }
  const newest = Math.max(timeOf(stored.active_at), timeOf(stored.idle_at))
  const isOld = at.getTime() - newest > patience
  const wasActive = isActive(stored)
  if (wasActive && !isOld && status === 'idle') return undefined
  // The clock of the node that wrote last may be ahead of ours.
  const times = withTime(stored, status, new Date(Math.max(at.getTime(), newest)))
  return { times, isNews: status === 'active' && (isOld || !wasActive) }
}

export const isActive = ({ active_at, idle_at }: Times): boolean => timeOf(active_at) >= timeOf(idle_at)

const timeOf = (date: Date | null): number => date?.getTime() ?? Number.NEGATIVE_INFINITY

const withTime = (times: Times, status: PresenceStatus, at: Date): Times =>
  status === 'active' ? { ...times, active_at: at } : { ...times, idle_at: at }
