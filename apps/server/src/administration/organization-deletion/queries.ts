import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'

/** Tables whose rows are kept until two days after the deletion; `deleteDeletionRecord` deletes them. */
const lastTables = ['organization_deletion', 'event_head']

interface OwnedTable {
  name: string
  /** Tables that foreign keys of this table refer to. */
  parents: string[]
}

/**
 * Lists every table with rows of organizations, in the order in which the rows can be deleted: a
 * table comes before the tables that it refers to. The list is read from PostgreSQL's catalog, so
 * it includes every table.
 */
export async function listOwnedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<OwnedTable>`
    select c.relname as name, array(
      select distinct parent.relname::text from pg_constraint k join pg_class parent on parent.oid = k.confrelid
      where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as parents
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = (select relnamespace from pg_class where oid = 'organization'::regclass)
      and c.relname <> all(${lastTables})
    order by c.relname`.execute(db)
  return sortChildrenFirst(rows)
}

function sortChildrenFirst(tables: readonly OwnedTable[]): string[] {
  const sorted: string[] = []
  let unsorted = [...tables]
  while (unsorted.length > 0) {
    const parentNames = new Set(unsorted.flatMap(({ parents }) => parents))
    const next = unsorted.filter(({ name }) => !parentNames.has(name))
    if (next.length === 0)
      throw new Error(`foreign keys form a circle: ${unsorted.map(({ name }) => name).join(', ')}`)
    sorted.push(...next.map(({ name }) => name))
    unsorted = unsorted.filter((table) => !next.includes(table))
  }
  return sorted
}

/**
 * Deletes up to `limit` rows of an organization and returns their number. The statement repeats the
 * condition of its subquery, because partitions of a table may have rows with the same `ctid`.
 */
export async function deleteOwnedRows(
  db: Db,
  table: string,
  organization_id: OrganizationId,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where organization_id = ${organization_id} and ctid = any(array(
      select ctid from ${sql.table(table)} where organization_id = ${organization_id} limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Deactivates up to `limit` accounts and detaches bots from their owners. Returns the number of changed rows. */
export async function closeAccounts(db: Db, organization_id: OrganizationId, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update user_account set is_active = false, bot_owner_id = null
    where organization_id = ${organization_id} and id = any(array(
      select id from user_account
      where organization_id = ${organization_id} and (is_active or bot_owner_id is not null) limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Deletes jobs that concern the organization, by its id or its files, or by the addresses of its people if the previous
 * release queued them without an id. A running job of
 * a queue stays, because its end releases the queue.
 */
export async function deleteJobs(db: Db, { id, name }: Pick<OrganizationRow, 'id' | 'name'>): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where (locked_at is null or job_queue_id is null) and (
      payload ->> 'organization_id' = ${String(id)}
      or payload #>> '{paths,0}' like ${`${id}/%`}
      or (payload ->> 'organization_id' is null and payload ->> 'organization' = ${name} and exists (
        select from user_account u
        where u.organization_id = ${id} and u.delivery_email in (payload ->> 'to', payload ->> 'new_email'))))`.execute(
    db,
  )
}

/** Deletes the row of an organization, and records the deletion. All its other rows must be deleted. */
export async function deleteOrganizationRow(tx: Tx, id: OrganizationId): Promise<void> {
  await sql`insert into organization_deletion (organization_id) values (${id})`.execute(tx)
  await sql`delete from organization where id = ${id}`.execute(tx)
}

export interface PastDeletion {
  organization_id: OrganizationId
  /** Whether requests that began before the deletion have certainly ended. */
  is_over: boolean
}

export async function listPastDeletions(db: Db, hours: number): Promise<PastDeletion[]> {
  const { rows } = await sql<PastDeletion>`
    select organization_id, deleted_at < now() - make_interval(hours => ${hours}) as is_over
    from organization_deletion order by organization_id`.execute(db)
  return rows
}

/** Deletes the last rows of a deleted organization. */
export async function deleteDeletionRecord(tx: Tx, organization_id: OrganizationId): Promise<void> {
  await sql`delete from event_head where organization_id = ${organization_id}`.execute(tx)
  await sql`delete from organization_deletion where organization_id = ${organization_id}`.execute(tx)
}
