import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Kinds of advisory locks. The number is the upper part of the lock's key, the id the lower. */
const kinds = { migrations: 1n, organizationRoles: 2n } as const

export const lockKey = (kind: keyof typeof kinds, id = 0): bigint => (kinds[kind] << 48n) + BigInt(id)

/**
 * Held while someone's role or activity changes, until the transaction ends. Whoever writes an event for a class of
 * roles holds it shared, so the ids on both sides of the change tell who was what when an event was written.
 */
export async function lockOrganizationRoles(tx: Tx, id: OrganizationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey('organizationRoles', id)})`.execute(tx)
}
