import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../operator-error.ts'
import { Backoff } from '../retry.ts'
import { findBaselineToAdopt, refuseOtherSchema } from './adopt-baseline.ts'
import { applyFunctions } from './apply-functions.ts'
import { connectionOptions } from './database.ts'
import { listMigrations, type Migration } from './list-migrations.ts'
import { lockKey } from './locks.ts'

/** Tables that this file and `apply-functions.ts` use. They exist before any migration. */
const ownTables = {
  schema_migration: `
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()`,
  schema_function: `
    version text primary key,
    path text not null,
    functions text[] not null,
    types text[] not null,
    used_at timestamptz not null default now()`,
}

/**
 * Applies pending migrations and creates SQL functions that are new. A database that has the schema of the
 * baseline adopts it. Returns the names of the applied migrations and the paths of the files whose functions were
 * created. Any number of nodes may start at once: one migrates, the others wait. Applied migrations that this
 * release does not know are ignored, so that an older node can still start while others are being upgraded,
 * unless `schema_requirement` refuses this release.
 *
 * While a migration waits for the lock of a table, requests of running nodes wait too. It therefore gives up
 * soon and is retried until it succeeds; `onBlocked` gets a message each time.
 */
export async function migrate(
  databaseUrl: string,
  migrations = listMigrations(),
  onBlocked: (message: string) => void = () => {},
): Promise<string[]> {
  return withMigrationLock(databaseUrl, async (client) => {
    const applied = await applyPending(client, migrations, onBlocked)
    return [...applied, ...(await applyFunctions(client))]
  })
}

/**
 * Applies pending migrations without the SQL functions of this release, because an older schema may lack the
 * tables that they use. A restore calls it before it loads the rows of an older schema.
 */
export async function migrateTablesOnly(
  databaseUrl: string,
  migrations: readonly Migration[],
): Promise<void> {
  await withMigrationLock(databaseUrl, (client) => applyPending(client, migrations, () => {}))
}

async function withMigrationLock<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...connectionOptions(databaseUrl),
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
  })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey('migrations')])
    return await work(client)
  } finally {
    await client.end()
  }
}

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  onBlocked: (message: string) => void,
): Promise<string[]> {
  for (const [name, columns] of Object.entries(ownTables)) await ensureTable(client, name, columns)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const pending = migrations.filter((migration) => !applied.has(migration.name))
  refuseChanged(migrations, applied)
  await refuseTooOld(client, migrations)
  const adopted = findBaselineToAdopt(migrations, [...applied.keys()])
  for (const migration of pending) {
    const run = migration === adopted ? refuseOtherSchema : runStatements
    await apply(client, migration, run, onBlocked)
  }
  return pending.map(({ name }) => name)
}

/**
 * Creates the table if it is missing. `create … if not exists` would need the right to create even if the
 * table exists.
 */
async function ensureTable(client: pg.Client, name: string, columns: string): Promise<void> {
  const { rows } = await client.query('select to_regclass($1) is not null as exists', [name])
  if (!rows[0].exists) await client.query(`create table ${name} (${columns})`)
}

function refuseChanged(migrations: readonly Migration[], applied: Map<string, string>): void {
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new SetupError(
        `The migration ${name} was changed after it was applied to this database. Restore the file and write a new migration.`,
      )
    }
  }
}

/**
 * Throws if a newer release has applied a migration with which this release cannot run. Other migrations of
 * newer releases are harmless, because they are compatible with nodes of the previous release.
 */
async function refuseTooOld(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const { rows: found } = await client.query("select to_regclass('schema_requirement') is not null as exists")
  if (!found[0].exists) return
  const { rows } = await client.query<{ migration: string; needs: string }>(
    'select migration, needs from schema_requirement where needs <> all($1) order by migration limit 1',
    [migrations.map(({ name }) => name)],
  )
  const [requirement] = rows
  if (requirement)
    throw new SetupError(
      `This version of Oxbow is too old for the database: a newer version has applied ${requirement.migration}, ` +
        `which only works with versions that have the migration ${requirement.needs}.\n` +
        'Install that version or a newer one. To go back, restore the backup from before the upgrade into an empty database.',
    )
}

/**
 * Shorter than PostgreSQL's `deadlock_timeout`, so that in a deadlock the migration is the one that gives
 * way.
 */
const lockTimeoutMs = 500

/** Error codes of a lock timeout and of a deadlock. */
const blockedCodes = new Set(['55P03', '40P01'])

/** Runs in the transaction that records a migration as applied, which is rolled back if it throws. */
type RunMigration = (client: pg.Client, migration: Migration) => Promise<void>

const runStatements: RunMigration = async (client, { sql }) => {
  await client.query(sql)
}

async function apply(
  client: pg.Client,
  migration: Migration,
  run: RunMigration,
  onBlocked: (message: string) => void,
): Promise<void> {
  const backoff = new Backoff({ firstMs: 500, maxMs: 10_000 })
  while (!(await tryToApply(client, migration, run))) {
    const waitMs = backoff.next()
    onBlocked(
      `The migration ${migration.name} needs a table that another transaction uses, and is tried again in ${waitMs / 1_000} s. ` +
        `${await describeOldestTransaction(client)} If it is a backup, wait for its end.`,
    )
    await setTimeout(waitMs)
  }
}

/** Returns false, with nothing changed, if other sessions hold locks that the migration needs. */
async function tryToApply(client: pg.Client, migration: Migration, run: RunMigration): Promise<boolean> {
  const { name, checksum } = migration
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await run(client, migration)
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
    return true
  } catch (cause) {
    await client.query('rollback')
    if (blockedCodes.has((cause as { code?: string }).code ?? '')) return false
    if (cause instanceof SetupError) throw cause
    throw new SetupError(`The migration ${name} failed and was undone: ${(cause as Error).message}`, {
      cause,
    })
  }
}

async function describeOldestTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; since: string }>(`
    select pid, coalesce(nullif(application_name, ''), 'unnamed') as name, xact_start::text as since
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`)
  const [oldest] = rows
  if (!oldest) return 'No transaction is open any more.'
  return `The oldest one is of process ${oldest.pid} (${oldest.name}), open since ${oldest.since}.`
}

/** Creates the database if it is missing. Throws a `SetupError` with advice if that is not possible. */
export async function ensureDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  const { database, user } = client
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw cannotConnect(databaseUrl, error)
    await createDatabase(databaseUrl, database ?? '', user ?? '')
  }
}

/** Databases from which another one can be created; the tools of PostgreSQL use them in this order too. */
const maintenanceDatabases = ['postgres', 'template1']

async function createDatabase(databaseUrl: string, database: string, user: string): Promise<void> {
  for (const name of maintenanceDatabases) {
    const failure = await createDatabaseFrom(name, databaseUrl, database)
    const { code = '' } = (failure ?? {}) as { code?: string }
    const isMissing = code === '3D000' && name !== maintenanceDatabases.at(-1)
    if (isMissing) continue
    // Another process may have created the database at the same time.
    if (!failure || /^(42P04|23505)$/.test(code)) return
    throw new SetupError(
      `The database "${database}" does not exist and could not be created: ${failure.message}\n` +
        `Create it as a PostgreSQL administrator: createdb --owner=${user} ${database}`,
      { cause: failure },
    )
  }
}

/** Returns the error of PostgreSQL, or undefined if the database was created. */
async function createDatabaseFrom(
  maintenance: string,
  databaseUrl: string,
  database: string,
): Promise<Error | undefined> {
  const client = new pg.Client({ ...connectionOptions(databaseUrl), database: maintenance })
  try {
    await client.connect()
    await client.query(`create database ${pg.escapeIdentifier(database)}`)
    return undefined
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Throws a `SetupError` with advice if the database cannot be reached or does not exist. */
export async function refuseUnreachable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ ...connectionOptions(databaseUrl), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw cannotConnect(databaseUrl, error)
    throw new SetupError(
      `The database "${client.database}" does not exist.\nStart a node, which creates it, or correct DATABASE_URL.`,
    )
  }
}

function cannotConnect(databaseUrl: string, cause: unknown): SetupError {
  const { host, port, user, database } = new pg.Client(connectionOptions(databaseUrl))
  const { code, message } = cause as { code?: string; message: string }
  const hint = /^role .* does not exist$/.test(message)
    ? `Create this user as a PostgreSQL administrator: createuser --createdb ${user}\nOr name another user in DATABASE_URL.`
    : code === '28P01' || code === '28000'
      ? 'Check the user and password in DATABASE_URL.'
      : 'Is it running? DATABASE_URL says where to look, like postgres://user:password@localhost:5432/oxbow'
  return new SetupError(
    `PostgreSQL cannot be used as ${user} on ${host}:${port}, database ${database}: ${message || code}\n${hint}`,
    { cause },
  )
}
