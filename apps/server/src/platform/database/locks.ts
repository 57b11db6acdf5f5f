import { hash } from 'node:crypto'
import type { MessageId, OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Kinds of advisory locks: the upper 16 bits of the lock's key. The id is in the lower 48 bits. */
const lockKinds = {
  migrations: 1n,
  organizationRoles: 2n,
  sequencer: 3n,
  stream: 4n,
  streamDirectory: 5n,
  reactions: 6n,
  presence: 14n,
  streamCount: 24n,
  signInNetwork: 25n,
  submessages: 31n,
  passwordReset: 34n,
  dataExport: 47n,
  organizationImport: 48n,
  importedIds: 49n,
  ownReactions: 56n,
} as const

export function lockKey(kind: keyof typeof lockKinds, id = 0): bigint {
  // A larger id would change the bits of the kind.
  if (id < 0 || id >= 2 ** 48) throw new Error(`${id} cannot be the id of something to lock`)
  return (lockKinds[kind] << 48n) + BigInt(id)
}

const roleLocks = new WeakMap<Tx, Set<OrganizationId>>()

/**
 * Takes the organization's role lock until the transaction ends: exclusive to change a role or activity,
 * shared to write an event for an audience of roles. Outbox ids therefore show which role an account had
 * when an event was written. Take it before any row lock, because transactions that hold it exclusively lock
 * rows afterwards.
 */
export async function lockRoles(tx: Tx, id: OrganizationId, mode: 'shared' | 'exclusive'): Promise<void> {
  const key = lockKey('organizationRoles', id)
  await (mode === 'exclusive'
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
  recordRoleLock(tx, id)
}

/** Records that the transaction holds the role lock, for callers that took it in a statement of their own. */
export function recordRoleLock(tx: Tx, id: OrganizationId): void {
  const lockedOrganizations = roleLocks.get(tx) ?? new Set()
  roleLocks.set(tx, lockedOrganizations.add(id))
}

export function hasRoleLock(tx: Tx, id: OrganizationId): boolean {
  return roleLocks.get(tx)?.has(id) ?? false
}

/**
 * Takes the lock of the organization's stream directory: exclusive to change the name or settings of a stream
 * or the default streams, shared to emit an event with a list of them. Therefore no later event contains an
 * older list. Take it after the role lock and before any stream lock.
 */
export async function lockStreamDirectory(
  tx: Tx,
  id: OrganizationId,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  const key = lockKey('streamDirectory', id)
  await (mode === 'exclusive'
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
}

/**
 * Locks streams exclusively, to change their subscribers, access or settings. Senders take the shared lock
 * and allocate message ids afterwards, so message ids show who was subscribed when a message was sent. Locks
 * are taken in the order of ids, to avoid deadlocks.
 */
export async function lockStreamsExclusive(tx: Tx, ids: readonly StreamId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_advisory_xact_lock(key) from unnest(${keysOf(ids)}::bigint[]) as key`.execute(tx)
}

/**
 * Serializes the creation of streams in one organization, to enforce its limit. Take it after all
 * stream locks.
 */
export async function lockStreamCount(tx: Tx, id: OrganizationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('streamCount', id)})`.execute(tx)
}

/**
 * Takes the shared lock of streams, to send to them or to emit an event that must precede later changes of
 * the streams.
 */
export async function lockStreamsShared(tx: Tx, ids: readonly StreamId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_advisory_xact_lock_shared(key) from unnest(${keysOf(ids)}::bigint[]) as key`.execute(tx)
}

const keysOf = (ids: readonly StreamId[]): bigint[] =>
  ids.toSorted((a, b) => a - b).map((id) => lockKey('stream', id))

/**
 * Locks the reactions of a message, because the first reaction with an emoji decides under which name all
 * others appear.
 */
export async function lockMessageReactions(tx: Tx, message: MessageId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('reactions', message)})`.execute(tx)
}

/**
 * Serializes new reactions of one account to a message, so that concurrent ones cannot exceed the limit. Take it
 * before `lockMessageReactions`.
 */
export async function lockOwnReactions(tx: Tx, message: MessageId, user_id: UserId): Promise<void> {
  const id = hashToId(`${message} ${user_id}`)
  await sql`select pg_advisory_xact_lock(${lockKey('ownReactions', id)})`.execute(tx)
}

/**
 * Serializes new submessages of a message, so that their ids are in the order of their events, and concurrent
 * submessages cannot exceed the limits.
 */
export async function lockSubmessages(tx: Tx, message: MessageId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('submessages', message)})`.execute(tx)
}

/**
 * Serializes presence reports of an organization, because each is compared with the previous one.
 */
export async function lockPresence(tx: Tx, id: OrganizationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('presence', id)})`.execute(tx)
}

/**
 * Serializes sign-in attempts from one network, so that concurrent attempts cannot exceed the
 * limit.
 */
export async function lockSignInNetwork(tx: Tx, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('signInNetwork', hashToId(network))})`.execute(tx)
}

/**
 * Serializes password resets of one address, so that concurrent requests cannot exceed the limit and only the
 * newest link stays valid. Take it after the lock of the network.
 */
export async function lockPasswordResets(
  tx: Tx,
  organization_id: OrganizationId,
  email: string,
): Promise<void> {
  const id = hashToId(`${organization_id} ${email}`)
  await sql`select pg_advisory_xact_lock(${lockKey('passwordReset', id)})`.execute(tx)
}

/** Hashes a text to a lock id of 48 bits. */
const hashToId = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, 6)
