import { z } from 'zod'
import { field, object } from '../kernel/field.ts'

const reported = 'When the program reported the status, in seconds since 1970-01-01 UTC.'

export const presenceStatuses = ['active', 'idle'] as const
export type PresenceStatus = (typeof presenceStatuses)[number]

const seconds = z.int()

const status = {
  status: field(z.enum(presenceStatuses), 'Whether the user was active or idle.'),
  timestamp: field(seconds, reported),
}

/** The latest report of one program about its user. */
export const presenceReport = object({
  client: field(z.string(), 'The name of the program that reported the status.'),
  ...status,
  pushable: field(z.boolean(), 'Whether the program can get push notifications.'),
})
export type PresenceReport = z.infer<typeof presenceReport>

const newestReport = presenceReport.omit({ pushable: true })

/** Reports by the name of the client. `aggregated` is the newest of them. */
export const presenceByClient = z
  .object({ aggregated: field(newestReport, 'The newest report of all programs.') })
  .catchall(z.union([presenceReport, newestReport]))
export type PresenceByClient = z.infer<typeof presenceByClient>

/** Key of the newest report. No client can have this name. */
export const aggregatedName = 'aggregated'

export const slimPresence = object({
  active_timestamp: field(
    seconds.optional(),
    'When the user was last active, in seconds since 1970-01-01 UTC. Absent if no program reported it.',
  ),
  idle_timestamp: field(
    seconds.optional(),
    'When the user was last idle, in seconds since 1970-01-01 UTC. Absent if no program reported it.',
  ),
})
export type SlimPresence = z.infer<typeof slimPresence>

export const presences = field(
  z.union([z.record(z.string(), slimPresence), z.record(z.string(), presenceByClient)]),
  'The presence of users in the last two weeks: by address and program, or with `slim_presence` by user id.',
)

/** Presence of one user by the name of the client. Old reports have the status `offline`. */
export const presenceOfUser = z.record(
  z.string(),
  object({
    status: field(
      z.enum([...presenceStatuses, 'offline']),
      '`active`, `idle`, or `offline` if the report is older than five minutes.',
    ),
    timestamp: field(seconds, reported),
  }),
)
