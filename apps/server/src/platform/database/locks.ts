import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Kinds of advisory locks. The number is the upper part of the lock's key, the id the lower. */
const kinds = { migrations: 1n, organizationRoles: 2n, sequencer: 3n } as const

export const lockKey = (kind: keyof typeof kinds, id = 0): bigint => (kinds[kind] << 48n) + BigInt(id)

const holders = new WeakMap<Tx, Set<OrganizationId>>()

/**
 * Whoever changes someone's role or activity holds the roles of the organization alone, until the transaction ends.
 * Whoever writes an event for a class of roles holds them shared. So the ids on both sides of a change tell who was
 * what when an event was written. Take it before any row: those who hold it alone take rows afterwards.
 */
export async function holdRoles(tx: Tx, id: OrganizationId, how: 'shared' | 'alone'): Promise<void> {
  const key = lockKey('organizationRoles', id)
  await (how === 'alone'
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
  noteRolesHeld(tx, id)
}

export function noteRolesHeld(tx: Tx, id: OrganizationId): void {
  const held = holders.get(tx) ?? new Set()
  holders.set(tx, held.add(id))
}

export function holdsRoles(tx: Tx, id: OrganizationId): boolean {
  return holders.get(tx)?.has(id) ?? false
}
