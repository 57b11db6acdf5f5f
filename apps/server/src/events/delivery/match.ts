import { Role } from '@oxbow/contract'
import type { Audience, LogRecord } from '../record.ts'
import { isBefore } from './cut.ts'
import { fitsNarrow } from './narrow.ts'
import type { Queue } from './queue.ts'

/** The one place that decides whether a queue gets a record. Everything it needs is in memory. */
export function isFor(queue: Queue, record: LogRecord): boolean {
  const { type } = record.header
  if (record.event === null || type === undefined) return false
  if (queue.types && !queue.types.has(type)) return false
  if (isBefore(queue.cut, record) || !isMeant(queue, record)) return false
  return type !== 'message' || fitsNarrow(queue, record)
}

/** Whether the record ends the queue: its owner was deactivated, or it was closed or expired. */
export function ends(queue: Queue, record: LogRecord): boolean {
  return (
    record.header.effects?.some(
      (effect) =>
        (effect.kind === 'queues' && effect.ended.includes(queue.id)) ||
        (effect.kind === 'role' &&
          effect.role === null &&
          effect.user === queue.account.user_id &&
          !isBefore(queue.cut, record)),
    ) ?? false
  )
}

function isMeant({ account, options }: Queue, { header, outboxId }: LogRecord): boolean {
  const { to, isPublic } = header
  if (has(to?.except, account.user_id)) return false
  if (has(to?.users, account.user_id)) return true
  if (to?.peopleOnly && account.isBot) return false
  if (isPublic && options.all_public_streams && isNoGuest(account.roles.at(outboxId))) return true
  const moment = to?.asOf ?? outboxId
  if (to?.unless && isSubscribed(to.unless, account, moment)) return false
  return hasRole(to, account.roles.at(moment)) || isSubscribed(to, account, moment)
}

function isNoGuest(role: Role | undefined): boolean {
  return role !== undefined && role !== Role.guest
}

function hasRole(to: Audience | undefined, role: Role | undefined): boolean {
  const { roles } = to ?? {}
  if (!roles || role === undefined) return false
  return roles === 'everyone' || roles.includes(role)
}

function isSubscribed(
  to: Pick<Audience, 'stream' | 'former'> | undefined,
  { streams }: Queue['account'],
  moment: number,
): boolean {
  const periods = to?.stream === undefined ? undefined : streams.get(to.stream)
  if (!periods) return false
  return to?.former ? periods.everBefore(moment) : periods.at(moment) === true
}

const sets = new WeakMap<readonly number[], Set<number>>()

/** Long lists are asked for by every queue, so they are made into sets once. */
function has(list: readonly number[] | undefined, id: number): boolean {
  if (!list) return false
  if (list.length < 16) return list.includes(id)
  const set = sets.get(list) ?? new Set(list)
  sets.set(list, set)
  return set.has(id)
}
