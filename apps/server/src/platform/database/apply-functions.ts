import { sql } from 'kysely'
import type pg from 'pg'
import type { App } from '../app.ts'
import { SetupError } from '../operator-error.ts'
import { type FunctionFile, listFunctionFiles } from './function-files.ts'

/** Interval at which running nodes report the function versions that they use. */
const reportMs = 60 * 60_000
/** Versions that no node has reported for this long are dropped. */
const keptDays = 7

/**
 * Creates the functions of this release that the database lacks, and drops versions that no node has used
 * for a week. Returns the paths of the files whose functions were created. The caller must hold the
 * migration lock. The role needs the right to create and to drop functions only if there is something to
 * create or to drop.
 */
export async function applyFunctions(client: pg.Client, files = listFunctionFiles()): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any($1::text[])`,
    [files.flatMap(({ functions }) => functions)],
  )
  const existing = new Set(rows.map(({ name }) => name))
  const missing = files.filter(({ functions }) => !functions.every((name) => existing.has(name)))
  for (const file of missing) await create(client, file)
  for (const { version, path, functions, types } of files)
    await client.query(
      `insert into schema_function (version, path, functions, types) values ($1, $2, $3, $4)
       on conflict (version) do update set used_at = now()`,
      [version, path, functions, types],
    )
  await dropUnused(client)
  return missing.map(({ path }) => path)
}

async function create(client: pg.Client, { path, sql, ...names }: FunctionFile): Promise<void> {
  try {
    // Statements in one query run in one transaction. A failed restore may have left some of the functions.
    await client.query(`${buildDrop(names)}; ${sql}`)
  } catch (cause) {
    throw new SetupError(
      `The SQL functions of ${path} could not be created: ${(cause as Error).message}\n` +
        'If this is a role without the right to create them, run "oxbow migrate" with the role that owns the tables.',
      { cause },
    )
  }
}

async function dropUnused(client: pg.Client): Promise<void> {
  // Only the role that created the functions can drop them, and nodes may run with another role.
  const { rows } = await client.query<VersionRow>(
    `select version, functions, types from schema_function
     where used_at < now() - make_interval(days => ${keptDays}) and not exists (
       select from pg_proc where pronamespace = current_schema()::regnamespace
         and proname = any(functions) and not pg_has_role(proowner, 'usage'))`,
  )
  for (const row of rows)
    await client.query(`${buildDrop(row)}; delete from schema_function where version = '${row.version}'`)
}

type VersionRow = Pick<FunctionFile, 'version' | 'functions' | 'types'>

/** Builds the statements that drop functions, and after them the types that the functions depend on. */
const buildDrop = ({ functions, types }: Pick<FunctionFile, 'functions' | 'types'>): string =>
  [
    ...functions.toReversed().map((name) => `drop function if exists ${name}`),
    ...types.toReversed().map((name) => `drop type if exists ${name}`),
  ].join('; ')

/**
 * Reports every hour, until `stop`, that this node uses the versions of its release. If the node is cut off
 * from the database for a week, its versions may be dropped, and it must be restarted.
 */
export function keepFunctions(
  { db, log }: Pick<App, 'db' | 'log'>,
  everyMs = reportMs,
): { stop(): Promise<void> } {
  const versions = listFunctionFiles().map(({ version }) => version)
  const report = () =>
    sql`update schema_function set used_at = now() where version = any(${versions})`
      .execute(db)
      .catch((err: unknown) => log.warn({ err }, 'could not report the SQL functions that this node uses'))
  const timer = setInterval(report, everyMs).unref()
  return { stop: async () => clearInterval(timer) }
}
