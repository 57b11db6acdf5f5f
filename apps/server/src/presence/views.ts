import { aggregatePresence, type PresenceReport, type SlimPresence } from '@oxbow/contract'
import type { LastReport, PersonPresence } from './queries.ts'

export function viewReports(reports: readonly LastReport[]): PresenceReport[] {
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

export function viewByClient(person: Pick<PersonPresence, 'reports'>): object {
  const [first, ...others] = viewReports(person.reports)
  return first ? aggregatePresence([first, ...others]) : {}
}

export function viewSlim({ reports }: Pick<PersonPresence, 'reports'>): SlimPresence {
  const [active, idle] = [1, 2].map((index) =>
    Math.max(...reports.map((report) => Number(report[index] ?? 0))),
  )
  return { ...(active && { active_timestamp: active }), ...(idle && { idle_timestamp: idle }) }
}
