import { defaultGeneration, isTypeOf, Role } from '@oxbow/contract'
import type { Audience, GuestAudience, Header, LogRecord } from '../record.ts'
import { isIncludedInCut } from './cut.ts'
import type { Account, Queue } from './queue.ts'

/**
 * Decides whether a queue gets a record, without reading the database. All delivery decisions are
 * made here. Throws on a header that it cannot interpret.
 */
export function shouldDeliver(queue: Queue, record: LogRecord): boolean {
  const { type, until } = record.header
  if (record.event === null || type === undefined) return false
  if (!knowsEvent(queue, type, record.header)) return false
  if (isIncludedInCut(queue.cut, record)) return false
  if (until !== undefined && Date.now() > until) return false
  if (!isDeliveredAsPublic(queue, record) && !isInAudience(queue.account, record)) return false
  // Queues with `all_public_streams` get the event of this change from another record.
  if (record.header.to?.unlessWidened && receivesAllPublic(queue, record)) return false
  return queue.matchesNarrow?.(record, () => getFlags(queue.account, record) ?? noFlags) ?? true
}

/** Whether the queue asked for the type, by name or with all types, and its program knows the event. */
function knowsEvent(
  { types, generation }: Queue,
  type: string,
  { since = defaultGeneration }: Header,
): boolean {
  return generation >= since && (types?.has(type) ?? isTypeOf(generation, type))
}

/**
 * Whether the record ends the queue: its owner was deactivated, or the queue was deleted or
 * expired.
 */
export function endsQueue(queue: Queue, record: LogRecord): boolean {
  return (
    record.header.effects?.some(
      (effect) =>
        (effect.kind === 'queues' && effect.ended.includes(queue.id)) ||
        (effect.kind === 'role' &&
          effect.role === null &&
          effect.user === queue.account.user_id &&
          !isIncludedInCut(queue.cut, record)),
    ) ?? false
  )
}

/**
 * Whether the record's audience includes the account. Queues with `all_public_streams` may get a record even
 * if their account is not in its audience.
 */
export function isInAudience(account: Account, { header: { to }, outboxId }: LogRecord): boolean {
  if (!to || includesId(to.except, account.user_id)) return false
  if (includesId(to.users, account.user_id)) return true
  if (to.peopleOnly && account.isBot) return false
  const evaluatedAt = to.asOf ?? outboxId
  if (to.unless && isSubscribed(to.unless, account, evaluatedAt)) return false
  const role = account.roles.at(evaluatedAt)
  if (hasRole(to, role)) return true
  if (to.guests && isInGuestAudience(to.guests, account, role, evaluatedAt)) return true
  return isSubscribed(to, account, evaluatedAt) && hasReceived(to, account)
}

/**
 * Whether the queue gets the record because it has `all_public_streams`, regardless of the
 * audience.
 */
function isDeliveredAsPublic(queue: Queue, record: LogRecord): boolean {
  const { account } = queue
  const { header, outboxId } = record
  const { to, isPublic } = header
  if (!isPublic || includesId(to?.except, account.user_id)) return false
  if (to?.peopleOnly && account.isBot) return false
  if (to?.unless && isSubscribed(to.unless, account, to.asOf ?? outboxId)) return false
  return receivesAllPublic(queue, record)
}

const receivesAllPublic = ({ account, options }: Queue, { outboxId }: LogRecord): boolean =>
  options.all_public_streams && isNonGuest(account.roles.at(outboxId))

export const noFlags: readonly string[] = []

/** Returns the message flags of this account; undefined if the event has no `flags` field. */
export function getFlags(account: Account, record: LogRecord): readonly string[] | undefined {
  const { flags, flagsOfAll } = record.header
  if (!flags && !flagsOfAll) return undefined
  const ownFlags = flags?.[account.user_id] ?? flagsOfAll
  if (!isInAudience(account, record)) return noFlags
  return isUnsubscribed(account, record) ? ['read', ...(ownFlags ?? noFlags)] : (ownFlags ?? noFlags)
}

/**
 * Whether the account is in the audience although it is not subscribed to the message's stream. Such users
 * get the message as read.
 */
function isUnsubscribed(account: Account, { header: { to }, outboxId }: LogRecord): boolean {
  return to?.stream !== undefined && !isSubscribed(to, account, to.asOf ?? outboxId)
}

function isNonGuest(role: Role | undefined): boolean {
  return role !== undefined && role !== Role.guest
}

function hasRole({ roles }: Audience, role: Role | undefined): boolean {
  if (!roles || role === undefined) return false
  return roles === 'everyone' || roles.includes(role)
}

function isSubscribed(
  { stream, former }: Pick<Audience, 'stream' | 'former'>,
  { streams }: Account,
  evaluatedAt: number,
): boolean {
  const periods = stream === undefined ? undefined : streams.get(stream)
  if (!periods) return false
  return former ? periods.hasStartedBy(evaluatedAt) : periods.at(evaluatedAt) === true
}

function isInGuestAudience(
  { streams = [], users, inverted, within }: GuestAudience,
  account: Account,
  role: Role | undefined,
  evaluatedAt: number,
): boolean {
  const isSubscribedTo = (stream: number) => account.streams.get(stream)?.at(evaluatedAt) === true
  const isNamed = includesId(users, account.user_id)
  if (role !== Role.guest) return isNamed && !inverted
  if (within !== undefined && !isSubscribedTo(within)) return false
  return (isNamed || streams.some(isSubscribedTo)) !== (inverted === true)
}

function hasReceived({ received }: Audience, { streams }: Account): boolean {
  return !received || streams.get(received.stream)?.at(received.at) === true
}

const sets = new WeakMap<readonly number[], Set<number>>()

/**
 * Returns whether the list has the id. Long lists are converted to sets once, because every queue checks
 * them.
 */
function includesId(list: readonly number[] | undefined, id: number): boolean {
  if (!list) return false
  if (list.length < 16) return list.includes(id)
  const set = sets.get(list) ?? new Set(list)
  sets.set(list, set)
  return set.has(id)
}
