import type { Domain, OrganizationId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { OrganizationRow, Tables } from '../platform/database/tables.ts'

export async function findOrganization(db: Db, subdomain: string): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organization').selectAll().where('subdomain', '=', subdomain).executeTakeFirst()
}

export async function findOrganizationById(db: Db, id: OrganizationId): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function getOrganization(db: Db, id: OrganizationId): Promise<OrganizationRow> {
  return db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  return db.selectFrom('organization').selectAll().orderBy('id').execute()
}

/** Returns whether the server has any organization yet. */
export async function hasOrganizations(db: Db): Promise<boolean> {
  return (await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Locks the organization's row. A transaction that changes one of its lists (profile fields, emoji,
 * …) takes this lock first.
 */
export async function lockOrganization(tx: Tx, id: OrganizationId): Promise<OrganizationRow> {
  return tx
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function insertOrganization(
  tx: Tx,
  values: Insertable<Tables['organization']>,
): Promise<OrganizationRow> {
  return tx.insertInto('organization').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function updateOrganization(
  tx: Tx,
  id: OrganizationId,
  values: Updateable<Tables['organization']>,
): Promise<void> {
  await tx.updateTable('organization').set(values).where('id', '=', id).execute()
}

export async function listAllowedDomains(db: Db, organization_id: OrganizationId): Promise<Domain[]> {
  return (
    db
      .selectFrom('organization_domain')
      .select(['domain', 'allow_subdomains'])
      .where('organization_id', '=', organization_id)
      // Clients sort the domains in the same way, so the order must not depend on the database's
      // collation.
      .orderBy(sql`domain collate "C"`)
      .execute()
  )
}

/**
 * Returns when the database was created, in seconds. It is the same for all nodes and never
 * changes.
 */
export async function getServerGeneration(db: Db): Promise<number> {
  const { created_at } = await db.selectFrom('server').select('created_at').executeTakeFirstOrThrow()
  return Math.floor(created_at.getTime() / 1_000)
}
