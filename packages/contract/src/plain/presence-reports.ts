import type { PresenceByClient, PresenceReport } from '../presence/shape.ts'

/**
 * Returns the newest report. If several are equally new, returns the first by name, so that the
 * choice is deterministic.
 */
export function findNewestReport(reports: readonly PresenceReport[]): PresenceReport | undefined {
  return reports.reduce<PresenceReport | undefined>((newest, report) => {
    if (!newest || report.timestamp > newest.timestamp) return report
    return report.timestamp === newest.timestamp && report.client < newest.client ? report : newest
  }, undefined)
}

/** Combines the reports of a user's clients, and adds the newest as `aggregated`. */
export function aggregatePresence(reports: readonly [PresenceReport, ...PresenceReport[]]): PresenceByClient {
  const { pushable: _, ...aggregated } = findNewestReport(reports) ?? reports[0]
  return { ...Object.fromEntries(reports.map((report) => [report.client, report])), aggregated }
}
