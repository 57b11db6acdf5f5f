import { aggregatePresence, type PresenceReport, type SlimPresence } from '@oxbow/contract'
import type { LastReport, PersonPresence } from './queries.ts'

/** Returns the newest report of each client, which is either active or idle. */
export function toPresenceReports(reports: readonly LastReport[]): PresenceReport[] {
  return reports.map(([client, active, idle]) => {
    const isIdle = (idle ?? 0) > (active ?? 0)
    return {
      client,
      status: isIdle ? 'idle' : 'active',
      timestamp: (isIdle ? idle : active) ?? 0,
      // The server sends no push notifications.
      pushable: false,
    }
  })
}

/** Returns the last active and the last idle report of each client, the newer one of a client last. */
export function toReportsOfAllTimes(reports: readonly LastReport[]): PresenceReport[] {
  return reports.flatMap(([client, active, idle]) => {
    const times = [
      { status: 'active' as const, timestamp: active },
      { status: 'idle' as const, timestamp: idle },
    ].flatMap(({ status, timestamp }) => (timestamp === null ? [] : [{ status, timestamp }]))
    const byTime = times.sort((a, b) => a.timestamp - b.timestamp || (a.status === 'idle' ? -1 : 1))
    return byTime.map((time) => ({ client, ...time, pushable: false }))
  })
}

/**
 * Returns the reports by client, together with the aggregated report. Returns an empty object if
 * there are no reports.
 */
export function toPresenceByClient(person: Pick<PersonPresence, 'reports'>): object {
  const [first, ...others] = toPresenceReports(person.reports)
  return first ? aggregatePresence([first, ...others]) : {}
}

/** Returns the newest active and idle times over all clients. */
export function toSlimPresence({ reports }: Pick<PersonPresence, 'reports'>): SlimPresence {
  const active = Math.max(...reports.map(([, time]) => time ?? 0))
  const idle = Math.max(...reports.map(([, , time]) => time ?? 0))
  return { ...(active && { active_timestamp: active }), ...(idle && { idle_timestamp: idle }) }
}
