import { Role } from '@oxbow/contract'
import type { Audience, LogRecord } from '../record.ts'
import type { Account } from './account.ts'
import { isBefore } from './cut.ts'
import { fitsNarrow } from './narrow.ts'
import type { Queue } from './queue.ts'

/** The one place that decides whether a queue gets a record. Everything it needs is in memory. */
export function isFor(queue: Queue, record: LogRecord): boolean {
  const { type, until } = record.header
  if (record.event === null || type === undefined) return false
  if (queue.types && !queue.types.has(type)) return false
  if (isBefore(queue.cut, record)) return false
  if (until !== undefined && Date.now() > until) return false
  if (!isWidened(queue, record) && !isMeant(queue.account, record)) return false
  if (record.header.to?.unlessWidened && isWide(queue, record)) return false
  const { narrow } = queue.options
  if (type !== 'message' || narrow.length === 0) return true
  return fitsNarrow(narrow, record, flagsFor(queue.account, record) ?? noFlags)
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

/** Whether the account is one of those whom the record names: not only someone who asks for all public streams. */
export function isMeant(account: Account, { header: { to }, outboxId }: LogRecord): boolean {
  if (!to || has(to.except, account.user_id)) return false
  if (has(to.users, account.user_id)) return true
  if (to.peopleOnly && account.isBot) return false
  const moment = to.asOf ?? outboxId
  if (to.unless && isSubscribed(to.unless, account, moment)) return false
  if (hasRole(to, account.roles.at(moment))) return true
  return isSubscribed(to, account, moment) && hasReceived(to, account)
}

/** Whether the queue gets the record, whoever it is meant for, because it asks for all public streams. */
function isWidened(queue: Queue, record: LogRecord): boolean {
  const { account } = queue
  const { header, outboxId } = record
  const { to, isPublic } = header
  if (!isPublic || has(to?.except, account.user_id)) return false
  if (to?.peopleOnly && account.isBot) return false
  if (to?.unless && isSubscribed(to.unless, account, to.asOf ?? outboxId)) return false
  return isWide(queue, record)
}

const isWide = ({ account, options }: Queue, { outboxId }: LogRecord): boolean =>
  options.all_public_streams && isNoGuest(account.roles.at(outboxId))

export const noFlags: readonly string[] = []

/** The flags that an event has for this account; undefined where events like it have none. */
export function flagsFor(account: Account, record: LogRecord): readonly string[] | undefined {
  const { flags, flagsOfAll } = record.header
  if (!flags && !flagsOfAll) return undefined
  const own = flags?.[account.user_id] ?? flagsOfAll
  if (!isMeant(account, record)) return noFlags
  return isFromElsewhere(account, record) ? ['read', ...(own ?? noFlags)] : (own ?? noFlags)
}

/** They are named, but not in the stream that it is about: nothing there is unread for them. */
function isFromElsewhere(account: Account, { header: { to }, outboxId }: LogRecord): boolean {
  return to?.stream !== undefined && !isSubscribed(to, account, to.asOf ?? outboxId)
}

function isNoGuest(role: Role | undefined): boolean {
  return role !== undefined && role !== Role.guest
}

function hasRole({ roles }: Audience, role: Role | undefined): boolean {
  if (!roles || role === undefined) return false
  return roles === 'everyone' || roles.includes(role)
}

function isSubscribed(
  { stream, former }: Pick<Audience, 'stream' | 'former'>,
  { streams }: Account,
  moment: number,
): boolean {
  const periods = stream === undefined ? undefined : streams.get(stream)
  if (!periods) return false
  return former ? periods.everBefore(moment) : periods.at(moment) === true
}

function hasReceived({ received }: Audience, { streams }: Account): boolean {
  return !received || streams.get(received.stream)?.at(received.at) === true
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
