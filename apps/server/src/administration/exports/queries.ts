import type { DataExportId, OrganizationId } from '@oxbow/contract'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { DataExportRow, Tables } from '../../platform/database/tables.ts'
import type { FileReferences } from '../../platform/files/check-files.ts'

export interface ExportKey {
  organization_id: OrganizationId
  id: DataExportId
}

/** Selects the keys of archives that should exist: of finished exports that were not deleted. */
export const archiveReferences: FileReferences = sql<{ key: string }>`
  select 'exports/' || organization_id || '/' || id || '.tar.gz' as key from data_export
  where finished_at is not null and deleted_at is null`

export function archiveKey({ organization_id, id }: ExportKey): string {
  return `exports/${organization_id}/${id}.tar.gz`
}

export async function listExportRows(db: Db, organization_id: OrganizationId): Promise<DataExportRow[]> {
  return db
    .selectFrom('data_export')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .execute()
}

export async function findExport(
  db: Db,
  { organization_id, id }: ExportKey,
): Promise<DataExportRow | undefined> {
  return db
    .selectFrom('data_export')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertExport(
  tx: Tx,
  values: Insertable<Tables['data_export']>,
): Promise<DataExportRow> {
  return tx.insertInto('data_export').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Ends a pending export. Returns undefined if the export is not pending. */
export async function settleExport(
  tx: Tx,
  { organization_id, id }: ExportKey,
  outcome: { size: number } | 'failed',
): Promise<DataExportRow | undefined> {
  return tx
    .updateTable('data_export')
    .set(
      outcome === 'failed'
        ? { failed_at: sql`clock_timestamp()` }
        : { finished_at: sql`clock_timestamp()`, size: outcome.size },
    )
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function markExportDeleted(tx: Tx, { organization_id, id }: ExportKey): Promise<void> {
  await tx
    .updateTable('data_export')
    .set({ deleted_at: sql`clock_timestamp()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Lists the organizations that have archives finished more than `days` ago. */
export async function listOrganizationsWithExpiredExports(db: Db, days: number): Promise<OrganizationId[]> {
  const { rows } = await sql<{ organization_id: OrganizationId }>`
    select distinct organization_id from data_export where ${isExpired(days)} order by 1`.execute(db)
  return rows.map(({ organization_id }) => organization_id)
}

/**
 * Marks exports of an organization as deleted if they were finished more than `days` ago. Returns
 * them.
 */
export async function markExpiredExports(
  tx: Tx,
  organization_id: OrganizationId,
  days: number,
): Promise<Pick<DataExportRow, 'id' | 'acting_user_id'>[]> {
  const { rows } = await sql<Pick<DataExportRow, 'id' | 'acting_user_id'>>`
    update data_export set deleted_at = clock_timestamp()
    where organization_id = ${organization_id} and ${isExpired(days)}
    returning id, acting_user_id`.execute(tx)
  return rows
}

const isExpired = (days: number): RawBuilder<boolean> => sql<boolean>`(
  deleted_at is null and finished_at < now() - make_interval(days => ${days}))`

export interface ExportSize {
  /** Exports that were started in the last `days`. */
  recent: number
  messages: number
  /** Size of all uploads. */
  bytes: number
}

/**
 * Measures the values that decide whether an export may be started. Stops counting messages at
 * `maxMessages + 1`.
 */
export async function measureForExport(
  db: Db,
  organization_id: OrganizationId,
  { days, maxMessages }: { days: number; maxMessages: number },
): Promise<ExportSize> {
  const { rows } = await sql<ExportSize>`
    select
      (select count(*) from data_export
       where organization_id = ${organization_id} and started_at > now() - make_interval(days => ${days})) as recent,
      (select count(*) from (
         select from message where organization_id = ${organization_id} limit ${maxMessages + 1}) as each) as messages,
      coalesce((select bytes from upload_usage where organization_id = ${organization_id}), 0) as bytes`.execute(
    db,
  )
  return rows[0] as ExportSize
}
