import { z } from 'zod'

export const presenceStatuses = ['active', 'idle'] as const
export type PresenceStatus = (typeof presenceStatuses)[number]

const seconds = z.int()

const status = { status: z.enum(presenceStatuses), timestamp: seconds }

/** What one program said of its user last. */
export const presenceReport = z.strictObject({
  client: z.string(),
  ...status,
  pushable: z.boolean(),
})
export type PresenceReport = z.infer<typeof presenceReport>

const newestReport = presenceReport.omit({ pushable: true })

/** By the names of programs; `aggregated` is the newest report of all. */
export const presenceByClient = z
  .object({ aggregated: newestReport })
  .catchall(z.union([presenceReport, newestReport]))
export type PresenceByClient = z.infer<typeof presenceByClient>

/** No program can be called so: it is what the newest report stands under. */
export const aggregatedName = 'aggregated'

export const slimPresence = z.strictObject({
  active_timestamp: seconds.optional(),
  idle_timestamp: seconds.optional(),
})
export type SlimPresence = z.infer<typeof slimPresence>

export const presences = z.union([z.record(z.string(), slimPresence), z.record(z.string(), presenceByClient)])
export type Presences = z.infer<typeof presences>

/** One user's, by the names of programs; old news are no news here. */
export const presenceOfUser = z.record(
  z.string(),
  z.strictObject({ status: z.enum([...presenceStatuses, 'offline']), timestamp: seconds }),
)

/** Of equally new ones the first by name, so that everyone who looks chooses the same. */
export function newestOf(reports: readonly PresenceReport[]): PresenceReport | undefined {
  return reports.reduce<PresenceReport | undefined>((newest, report) => {
    if (!newest || report.timestamp > newest.timestamp) return report
    return report.timestamp === newest.timestamp && report.client < newest.client ? report : newest
  }, undefined)
}

/** What is known of someone, from what their programs said. */
export function aggregate(reports: readonly [PresenceReport, ...PresenceReport[]]): PresenceByClient {
  const { pushable: _, ...aggregated } = newestOf(reports) ?? reports[0]
  return { ...Object.fromEntries(reports.map((report) => [report.client, report])), aggregated }
}
