import type pg from 'pg'
import type { BackupSequence } from './manifest.ts'

/**
 * Tables that a backup does not contain: they describe one running server, or hold the event log, which a
 * restored server starts anew.
 */
const excludedTables = [
  'event_batch',
  'event_part',
  'event_queue',
  'outbox',
  'job_runner',
  'migrations',
  'node_secret',
  'schema_function',
  'schema_migration',
  'schema_requirement',
]

/** The schema with the tables of background jobs. */
const jobsSchema = 'graphile_worker'

export interface TableToCopy {
  /** Includes the schema only for tables of background jobs. */
  name: string
  /** Columns that COPY writes and reads; generated columns are left out. */
  columns: string[]
  allColumns: string[]
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Quotes a table or sequence name from the manifest, with or without its schema, for use in SQL. */
export const quoteName = (name: string): string => name.split('.').map(quote).join('.')

export const quoteColumns = (columns: readonly string[]): string => columns.map(quote).join(', ')

/** Lists the tables that a backup contains, in the order of their names. */
export async function listTablesToCopy(client: pg.ClientBase): Promise<TableToCopy[]> {
  const { rows } = await client.query<TableToCopy>(
    `select case when nspname = $1 then nspname || '.' else '' end || relname as name,
       array_agg(attname::text order by attnum) filter (where attgenerated = '') as columns,
       array_agg(attname::text order by attnum) as "allColumns"
     from pg_class c join pg_namespace n on n.oid = relnamespace
     join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
     where nspname in (current_schema(), $1) and relkind in ('r', 'p') and not relispartition and relname <> all($2)
     group by nspname, relname
     order by nspname = $1, relname collate "C"`,
    [jobsSchema, excludedTables],
  )
  return rows
}

export async function readSequences(client: pg.ClientBase): Promise<BackupSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select case when schemaname = $1 then schemaname || '.' else '' end || sequencename as name
     from pg_sequences where schemaname in (current_schema(), $1) order by schemaname = $1, sequencename collate "C"`,
    [jobsSchema],
  )
  const sequences: BackupSequence[] = []
  for (const { name } of rows) {
    const found = await client.query<Omit<BackupSequence, 'name'>>(
      `select last_value::text, is_called from ${quoteName(name)}`,
    )
    sequences.push({ name, ...(found.rows[0] as Omit<BackupSequence, 'name'>) })
  }
  return sequences
}

/**
 * Counts the rows of a table and adds up their hashes. The sum does not depend on the order of rows or on the
 * machine.
 */
export async function sumRows(
  client: pg.ClientBase,
  { name, allColumns }: Pick<TableToCopy, 'name' | 'allColumns'>,
): Promise<{ rows: number; sum: string }> {
  const { rows } = await client.query<{ rows: number; sum: string }>(
    `select count(*) as rows, coalesce(sum(
       ('x' || encode(substring(sha256(convert_to(row(${quoteColumns(allColumns)})::text, 'UTF8')) for 7), 'hex'))::bit(56)::bigint
     ), 0)::text as sum
     from ${quoteName(name)}`,
  )
  return { rows: Number(rows[0]?.rows), sum: rows[0]?.sum ?? '' }
}

/** Sets how PostgreSQL writes values as text. Backup, restore and the sums of rows use the same settings. */
export async function useExactText(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set timezone = 'UTC';
    set extra_float_digits = 3; set bytea_output = 'hex'; set xmloption = 'content'`)
}
