import { z } from 'zod'

export const presenceStatuses = ['active', 'idle'] as const
export type PresenceStatus = (typeof presenceStatuses)[number]

const seconds = z.int()

const status = { status: z.enum(presenceStatuses), timestamp: seconds }

/** The latest report of one program about its user. */
export const presenceReport = z.strictObject({
  client: z.string(),
  ...status,
  pushable: z.boolean(),
})
export type PresenceReport = z.infer<typeof presenceReport>

const newestReport = presenceReport.omit({ pushable: true })

/** Reports by the name of the program. `aggregated` is the newest of them. */
export const presenceByClient = z
  .object({ aggregated: newestReport })
  .catchall(z.union([presenceReport, newestReport]))
export type PresenceByClient = z.infer<typeof presenceByClient>

/** Key of the newest report. No program can have this name. */
export const aggregatedName = 'aggregated'

export const slimPresence = z.strictObject({
  active_timestamp: seconds.optional(),
  idle_timestamp: seconds.optional(),
})
export type SlimPresence = z.infer<typeof slimPresence>

export const presences = z.union([z.record(z.string(), slimPresence), z.record(z.string(), presenceByClient)])
export type Presences = z.infer<typeof presences>

/** Presence of one user by the name of the program. Old reports count as `offline`. */
export const presenceOfUser = z.record(
  z.string(),
  z.strictObject({ status: z.enum([...presenceStatuses, 'offline']), timestamp: seconds }),
)

/**
 * Returns the newest report. Of equally new ones it is the first by name, so that the choice is
 * deterministic.
 */
export function findNewestReport(reports: readonly PresenceReport[]): PresenceReport | undefined {
  return reports.reduce<PresenceReport | undefined>((newest, report) => {
    if (!newest || report.timestamp > newest.timestamp) return report
    return report.timestamp === newest.timestamp && report.client < newest.client ? report : newest
  }, undefined)
}

/** Combines the reports of a user's programs into one answer. */
export function aggregatePresence(reports: readonly [PresenceReport, ...PresenceReport[]]): PresenceByClient {
  const { pushable: _, ...aggregated } = findNewestReport(reports) ?? reports[0]
  return { ...Object.fromEntries(reports.map((report) => [report.client, report])), aggregated }
}
