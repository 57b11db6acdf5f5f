import { sql } from 'kysely'
import type { Db, Tx } from '../database.ts'

/** Progress of a background migration. */
export interface BackgroundProgress {
  name: string
  rows_done: number
  /** An estimate; null before the first batch. */
  rows_total: number | null
  started_at: Date | null
  updated_at: Date | null
  finished_at: Date | null
  /** The error of the newest batch, if it failed. */
  failure: string | null
}

/** Lists all background migrations that the database knows. */
export async function listBackgroundProgress(db: Db): Promise<BackgroundProgress[]> {
  return db
    .selectFrom('background_migration')
    .select(['name', 'rows_done', 'rows_total', 'started_at', 'updated_at', 'finished_at', 'failure'])
    .orderBy('name')
    .execute()
}

/**
 * SQL: the unfinished background migrations as a JSON array; null if there are none. Everyone may see it, so it
 * does not contain the text of a failure, which can quote rows.
 */
export const unfinishedAsJson = sql<UnfinishedMigration[] | null>`(
  select json_agg(json_build_object('name', name, 'rows_done', rows_done, 'rows_total', rows_total,
    'is_failing', failure is not null) order by name)
  from background_migration where finished_at is null)`

export interface UnfinishedMigration extends Pick<BackgroundProgress, 'name' | 'rows_done' | 'rows_total'> {
  /** Whether the newest batch failed. */
  is_failing: boolean
}

export async function insertMissing(db: Db, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql`insert into background_migration (name) select unnest(${names}::text[])
    on conflict do nothing`.execute(db)
}

/** The state of a background migration, as a batch needs it. */
export interface BatchState {
  position: unknown
  isStarted: boolean
  isFinished: boolean
}

/**
 * Locks a background migration until the transaction ends. Returns undefined if another session runs a batch
 * of it now.
 */
export async function lockBatch(tx: Tx, name: string): Promise<BatchState | undefined> {
  const { rows } = await sql<BatchState>`
    select position, started_at is not null as "isStarted", finished_at is not null as "isFinished"
    from background_migration where name = ${name} for update skip locked`.execute(tx)
  return rows[0]
}

export async function updateTotal(tx: Tx, name: string, rows: number): Promise<void> {
  await sql`update background_migration set rows_total = ${rows}, started_at = now() where name = ${name}`.execute(
    tx,
  )
}

/** Saves that a batch is done. A position of null means that it was the last one. */
export async function updateProgress(tx: Tx, name: string, rows: number, position: unknown): Promise<void> {
  const isLast = position === null
  await sql`
    update background_migration set
      rows_done = rows_done + ${rows}, position = ${isLast ? null : JSON.stringify(position)}::jsonb,
      updated_at = now(), finished_at = case when ${isLast} then now() end, failure = null
    where name = ${name}`.execute(tx)
}

export async function updateFailure(db: Db, name: string, failure: string): Promise<void> {
  await sql`update background_migration set failure = ${failure}, updated_at = now()
    where name = ${name} and finished_at is null`.execute(db)
}
