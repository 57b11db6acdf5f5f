import type { LoggedRecord, Query } from './event-log.ts'
import { createStateFilter, type QueueCut } from './queue-cuts.ts'

interface Period {
  user_id: number
  from: number
  to: number | null
}

type RolePeriod = Period & { role: number }
type StreamPeriod = Period & { stream_id: number }

/** Role periods and subscription periods by user id, bounded by outbox ids. */
export interface Periods {
  roles: Map<number, RolePeriod[]>
  streams: Map<number, StreamPeriod[]>
}

const guest = 600

export async function readPeriods(query: Query): Promise<Periods> {
  const bounds = 'from_outbox_id::float8 as from, to_outbox_id::float8 as to'
  const roles = await query<RolePeriod>(`select user_id::int, role::int, ${bounds} from role_period`)
  const streams = await query<StreamPeriod>(
    `select user_id::int, stream_id::int, ${bounds} from subscription_period`,
  )
  const byUser = ({ user_id }: Period) => user_id
  return { roles: Map.groupBy(roles, byUser), streams: Map.groupBy(streams, byUser) }
}

const isIn = (period: Period, at: number): boolean =>
  period.from <= at && (period.to === null || at < period.to)

/** Returns a predicate that says whether a record must be delivered to the queue. */
export function createDueFilter(cut: QueueCut, periods: Periods): (record: LoggedRecord) => boolean {
  const isInState = createStateFilter(cut)
  const isFor = createAudienceFilter(cut.user_id, periods)
  return (record) => {
    const { type, to, isPublic } = record.header
    if (!type || !to || isInState(record)) return false
    if (cut.event_types && !cut.event_types.includes(type)) return false
    if (isFor(record)) return true
    const role = roleAt(periods, cut.user_id, record.outboxId)
    return isPublic === true && cut.all_public_streams && role !== undefined && role !== guest
  }
}

/**
 * Returns a predicate that says whether the account is in the audience of a record, regardless of
 * queue options.
 */
export function createAudienceFilter(user: number, periods: Periods): (record: LoggedRecord) => boolean {
  return ({ outboxId, header: { to } }) => {
    if (!to || to.except?.includes(user)) return false
    if (to.users?.includes(user)) return true
    const at = to.asOf ?? outboxId
    const streams = periods.streams.get(user) ?? []
    if (streams.some((period) => period.stream_id === to.stream && isIn(period, at))) return true
    const role = roleAt(periods, user, at)
    return role !== undefined && (to.roles === 'everyone' || (to.roles?.includes(role) ?? false))
  }
}

export function subscribersAt({ streams }: Periods, stream: number, at: number): Set<number> {
  const all = [...streams.values()].flat()
  return new Set(
    all.flatMap((period) => (period.stream_id === stream && isIn(period, at) ? period.user_id : [])),
  )
}

const roleAt = ({ roles }: Periods, user: number, at: number): number | undefined =>
  roles.get(user)?.find((period) => isIn(period, at))?.role
