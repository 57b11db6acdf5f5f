import { hash } from 'node:crypto'
import type { MessageId, OrganizationId, StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Kinds of advisory locks. The number is the upper part of the lock's key, the id the lower. */
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
} as const

export function lockKey(kind: keyof typeof lockKinds, id = 0): bigint {
  // Beyond this it would be a lock of another kind.
  if (id < 0 || id >= 2 ** 48) throw new Error(`${id} cannot be the id of something to lock`)
  return (lockKinds[kind] << 48n) + BigInt(id)
}

const roleLocks = new WeakMap<Tx, Set<OrganizationId>>()

/**
 * Whoever changes someone's role or activity holds the roles of the organization alone, until the transaction ends.
 * Whoever writes an event for a class of roles holds them shared. So the ids on both sides of a change tell who was
 * what when an event was written. Take it before any row: those who hold it alone take rows afterwards.
 */
export async function lockRoles(tx: Tx, id: OrganizationId, how: 'shared' | 'exclusive'): Promise<void> {
  const key = lockKey('organizationRoles', id)
  await (how === 'exclusive'
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
  markRolesLocked(tx, id)
}

export function markRolesLocked(tx: Tx, id: OrganizationId): void {
  const held = roleLocks.get(tx) ?? new Set()
  roleLocks.set(tx, held.add(id))
}

export function hasRoleLock(tx: Tx, id: OrganizationId): boolean {
  return roleLocks.get(tx)?.has(id) ?? false
}

/**
 * Whoever changes what a stream is called or how it is set, or the lists of default streams, holds the directory of
 * streams alone; whoever tells a list with such things in it holds it shared. So no list that is told later holds
 * something older. Take it after the roles and before any stream.
 */
export async function lockStreamDirectory(
  tx: Tx,
  id: OrganizationId,
  how: 'shared' | 'exclusive',
): Promise<void> {
  const key = lockKey('streamDirectory', id)
  await (how === 'exclusive'
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
}

/**
 * Whoever changes who is in a stream, who may be, or what it is, holds it alone. Whoever sends to it holds it shared,
 * and takes the ids of what is sent afterwards. So the ids on both sides of a change tell who was in it when. Ids are
 * sorted, so that two who hold several do not wait for each other.
 */
export async function lockStreamsExclusive(tx: Tx, ids: readonly StreamId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_advisory_xact_lock(key) from unnest(${keysOf(ids)}::bigint[]) as key`.execute(tx)
}

/**
 * Transactions that create streams in one organization run one after the other, so that together they do not pass its
 * limit. Take it after all streams that exist.
 */
export async function lockStreamCount(tx: Tx, id: OrganizationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('streamCount', id)})`.execute(tx)
}

/** For whoever sends to streams, or tells something that must not be overtaken by a change of them. */
export async function lockStreamsShared(tx: Tx, ids: readonly StreamId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_advisory_xact_lock_shared(key) from unnest(${keysOf(ids)}::bigint[]) as key`.execute(tx)
}

const keysOf = (ids: readonly StreamId[]): bigint[] =>
  ids.toSorted((a, b) => a - b).map((id) => lockKey('stream', id))

/** Whoever is the first to react to a message with some emoji holds its reactions alone: what they call it, all do. */
export async function lockMessageReactions(tx: Tx, message: MessageId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('reactions', message)})`.execute(tx)
}

/** Whoever writes what programs reported of their users holds it alone: each report is judged by the one before it. */
export async function lockPresence(tx: Tx, id: OrganizationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('presence', id)})`.execute(tx)
}

/** Tries to sign in from one network are counted one after the other, so that no number of them at once passes a limit. */
export async function lockSignInNetwork(tx: Tx, network: string): Promise<void> {
  const id = hash('sha256', network, 'buffer').readUIntBE(0, 6)
  await sql`select pg_advisory_xact_lock(${lockKey('signInNetwork', id)})`.execute(tx)
}
