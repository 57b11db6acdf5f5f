import { aggregatePresence, type PresenceReport, type SlimPresence } from '@oxbow/contract'
import type { LastReport, PersonPresence } from './queries.ts'

/** Returns each client's last report: idle if that is newer than active. */
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

/** Returns the reports by client with the aggregated one; empty without reports. */
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
