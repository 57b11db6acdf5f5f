import type pg from 'pg'
import { listTablesToCopy, quoteName, sumRows } from '../../platform/archive/database-tables.ts'
import type { BackupTable, Manifest } from '../../platform/archive/manifest.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/** SQL: the schemas of the tables in a backup. */
const schemas = "(current_schema()::regnamespace, 'graphile_worker'::regnamespace)"

/** Statements that create again what `emptyTables` removed. */
export interface Removed {
  indexes: string[]
  foreignKeys: string[]
  triggers: string[]
}

/**
 * Empties the tables of the backup, and removes their foreign keys, triggers and indexes until the rows are
 * loaded: building an index at the end takes a fraction of the time, and without foreign keys rows can be
 * loaded in any order. Must run in the transaction that loads the rows.
 */
export async function emptyTables(client: pg.Client, tables: readonly BackupTable[]): Promise<Removed> {
  await refuseOtherTables(client, tables)
  const list = async (text: string) => (await client.query<{ remove: string; restore: string }>(text)).rows
  const foreignKeys = await list(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace in ${schemas} order by oid`)
  const indexes = await list(`
    select format('drop index %s', indexrelid::regclass) as remove, pg_get_indexdef(indexrelid) as restore
    from pg_index join pg_class c on c.oid = indrelid
    where relnamespace in ${schemas} and relkind = 'r' and not relispartition
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    order by indexrelid`)
  const triggers = await list(`
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as remove,
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as restore
    from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and tgenabled = 'O' and relnamespace in ${schemas} and not relispartition order by pg_trigger.oid`)
  for (const { remove } of [...foreignKeys, ...indexes, ...triggers]) await client.query(remove)
  await client.query(`truncate ${tables.map(({ name }) => quoteName(name)).join(', ')}`)
  const statements = (removed: { restore: string }[]) => removed.map(({ restore }) => restore)
  return {
    indexes: statements(indexes),
    foreignKeys: statements(foreignKeys),
    triggers: statements(triggers),
  }
}

/**
 * Throws if the database lacks a table or column of the backup. Both have the same migrations, so a
 * difference means that somebody changed the tables by hand.
 */
async function refuseOtherTables(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  const found = new Map((await listTablesToCopy(client)).map((table) => [table.name, table]))
  for (const { name, columns } of tables) {
    const table = found.get(name)
    const missing = table ? columns.find((column) => !table.columns.includes(column)) : undefined
    if (!table || missing)
      throw new OperatorError(
        `The backup has ${missing ? `the column ${missing} of the table` : 'the table'} ${name}, which this release does not create. Restore it with the release that made it.`,
      )
  }
}

/** Creates the indexes, foreign keys and triggers again. `onStep` gets a description of each step. */
export async function putBack(
  client: pg.Client,
  { indexes, foreignKeys, triggers }: Removed,
  onStep: (text: string) => void,
): Promise<void> {
  for (const [label, statements] of [
    ['indexes', indexes],
    ['foreign keys', foreignKeys],
    ['triggers', triggers],
  ] as const)
    for (const [done, statement] of statements.entries()) {
      onStep(`${label}: ${done + 1} of ${statements.length}`)
      await client.query(statement)
    }
}

export async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { name, last_value, is_called } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      quoteName(name),
      last_value,
      is_called,
    ])
}

/**
 * Throws an `OperatorError` unless every table has the same rows as at the time of the backup, with all
 * columns.
 */
export async function compareRows(client: pg.Client, { tables }: Manifest): Promise<void> {
  const found = new Map((await listTablesToCopy(client)).map((table) => [table.name, table]))
  for (const { name, rows, sum } of tables) {
    const { allColumns = [] } = found.get(name) ?? {}
    const loaded = await sumRows(client, { name, allColumns })
    if (loaded.rows !== rows || loaded.sum !== sum)
      throw new OperatorError(
        `Nothing was restored: the table ${name} would have ${loaded.rows} rows in place of ${rows}, or other values in them.`,
      )
  }
}

/** Unlocks jobs that nodes of the original server had begun, so that they can run. */
export async function releaseJobs(client: pg.Client): Promise<void> {
  await client.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null',
  )
  await client.query(
    'update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null',
  )
}
