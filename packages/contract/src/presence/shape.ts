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

/** Reports by the name of the client. `aggregated` is the newest of them. */
export const presenceByClient = z
  .object({ aggregated: newestReport })
  .catchall(z.union([presenceReport, newestReport]))
export type PresenceByClient = z.infer<typeof presenceByClient>

/** Key of the newest report. No client can have this name. */
export const aggregatedName = 'aggregated'

export const slimPresence = z.strictObject({
  active_timestamp: seconds.optional(),
  idle_timestamp: seconds.optional(),
})
export type SlimPresence = z.infer<typeof slimPresence>

export const presences = z.union([z.record(z.string(), slimPresence), z.record(z.string(), presenceByClient)])

/** Presence of one user by the name of the client. Old reports have the status `offline`. */
export const presenceOfUser = z.record(
  z.string(),
  z.strictObject({ status: z.enum([...presenceStatuses, 'offline']), timestamp: seconds }),
)
