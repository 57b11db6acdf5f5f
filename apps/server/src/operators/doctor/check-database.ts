import { sql } from 'kysely'
import type { Config } from '../../platform/config/settings.ts'
import { baseline } from '../../platform/database/baseline.ts'
import { findIndexProblems } from '../../platform/database/check-indexes.ts'
import { compareSchema } from '../../platform/database/compare-schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { refuseUnsupportedDatabase } from '../../platform/database/refuse-unsupported.ts'
import { SetupError } from '../../platform/operator-error.ts'
import { type Outcome, ok, problem, toFinding, warning } from './finding.ts'

/** The oldest supported version of PostgreSQL, as `server_version_num`. */
const minVersion = 150_000
/** PostgreSQL settings that must be on: otherwise a crash damages data, or tables grow without limit. */
const requiredSettings = ['fsync', 'full_page_writes', 'autovacuum']
/** Above this fraction of used connections, nodes may soon find no free one. */
const maxConnectionShare = 0.9

interface DatabaseFacts {
  version: string
  number: number
  used: number
  limit: number
  size: string
}

/** Checks the version, role and settings of a reachable PostgreSQL. */
export async function checkPostgres(db: Db, { database_url }: Config): Promise<Outcome> {
  const refusal = await refuseUnsupportedDatabase(database_url).catch((error: unknown) => {
    if (error instanceof SetupError) return error.message
    throw error
  })
  if (refusal) return toFinding('problem', refusal)
  const { version, number, used, limit, size } = await readFacts(db)
  if (number < minVersion)
    return problem(
      `PostgreSQL ${version} is too old; Oxbow needs version 15 or newer.`,
      'Upgrade PostgreSQL, or restore a backup into a newer one.',
    )
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name = any(${requiredSettings}) and setting = 'off' order by name`.execute(
    db,
  )
  if (rows.length > 0)
    return warning(
      `PostgreSQL ${version} runs with ${rows.map(({ name }) => `${name} = off`).join(', ')}, which puts data in danger.`,
      'Switch it on in postgresql.conf, and reload PostgreSQL.',
    )
  const connections = `${used} of ${limit} connections are used`
  if (used > limit * maxConnectionShare)
    return warning(
      `PostgreSQL ${version}: ${connections}.`,
      'Raise max_connections of PostgreSQL, or lower OXBOW_DATABASE_POOL_SIZE.',
    )
  return ok(`PostgreSQL ${version}, ${size}; ${connections}.`)
}

interface Rights {
  /** The role of this session, quoted like the other names. */
  role: string
  owner: string
  schema: string
  canCreate: boolean
  isOwner: boolean
}

/** Checks that the role can add parts to the event log: it creates tables and attaches them to a table. */
export async function checkRights(db: Db): Promise<Outcome> {
  const { rows } = await sql<Rights>`
    select quote_ident(current_user) as role, quote_ident(pg_get_userbyid(relowner)) as owner,
      quote_ident(current_schema()) as schema,
      has_schema_privilege(current_schema(), 'create') as "canCreate", pg_has_role(relowner, 'usage') as "isOwner"
    from pg_class where oid = to_regclass('event_batch')`.execute(db)
  const [found] = rows
  if (!found || (found.canCreate && found.isOwner)) return ok('The role can add parts to the event log.')
  const { role, owner, schema, isOwner } = found
  return isOwner
    ? problem(
        `The role ${role} may not create tables, so soon no events will be delivered.`,
        `Run as a superuser: grant create on schema ${schema} to ${role}`,
      )
    : problem(
        `The role ${role} does not own the tables, so soon no events will be delivered.`,
        `Use the role ${owner} in DATABASE_URL, or run as a superuser: grant ${owner} to ${role}`,
      )
}

async function readFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_version_num')::int as number,
      current_setting('max_connections')::int as "limit",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      pg_size_pretty(pg_database_size(current_database())) as size`.execute(db)
  return rows[0] as DatabaseFacts
}

/** Compares the migrations of the database with those of this release. */
export async function checkMigrations({ database_url }: Config): Promise<Outcome> {
  const { state, pending, unknown } = await compareSchema(database_url)
  switch (state) {
    case 'same':
      return ok('The tables are those of this version.')
    case 'empty':
      return warning('The database is empty.', 'Run `oxbow serve` or `oxbow migrate`, which set it up.')
    case 'older':
      return warning(
        `The database lacks ${pending.length} migrations of this version.`,
        'Start a node of this version, or run `oxbow migrate`.',
      )
    case 'too_old':
      return problem(
        `The database is too old for this version: it lacks ${baseline.lastReplaced}.`,
        `Install the commit ${baseline.lastCommit} and run \`oxbow migrate\`, then install this version again.`,
      )
    case 'newer':
      return problem(
        `A newer version has changed the database (${unknown.join(', ')}).`,
        'Install that version on this machine too.',
      )
  }
}

/** Looks for missing and invalid indexes, without which requests are slow or duplicates are possible. */
export async function checkIndexes(db: Db): Promise<Outcome> {
  const problems = await findIndexProblems(db)
  if (problems.length === 0) return ok('All indexes exist and are valid.')
  const found = problems.map(({ name, state }) => `${name} is ${state}`).join(', ')
  const repairs = problems.map(({ repair }) => repair).join(' ')
  return problem(`Indexes: ${found}.`, `Run in psql, as the owner of the tables: ${repairs}`)
}

/** Smaller differences are normal on machines without a time service. */
const maxClockDifferenceMs = 2_000
/** Larger differences make presence and the validity of links visibly wrong. */
const criticalClockDifferenceMs = 60_000

/** Compares the clock of this machine with that of PostgreSQL. */
export async function checkClock(db: Db): Promise<Outcome> {
  const before = Date.now()
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  const after = Date.now()
  const difference = Number(rows[0]?.ms) - (before + after) / 2
  // PostgreSQL read its clock between `before` and `after`.
  const minDifference = Math.max(0, Math.abs(difference) - (after - before) / 2)
  if (minDifference <= maxClockDifferenceMs) return ok('The clocks of this machine and of PostgreSQL agree.')
  const found = `The clock of PostgreSQL is ${describeSeconds(minDifference)} ${difference > 0 ? 'ahead of' : 'behind'} the one of this machine.`
  const remedy =
    'Let a time service, such as chrony or systemd-timesyncd, set the clocks of all machines. `timedatectl` shows which clock is wrong.'
  return minDifference > criticalClockDifferenceMs ? problem(found, remedy) : warning(found, remedy)
}

const describeSeconds = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`

/**
 * Returns the directory of PostgreSQL's data, if PostgreSQL runs on this machine and the role may read the
 * setting.
 */
export async function findLocalDataDirectory(db: Db): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ directory: string; address: string | null }>`
      select current_setting('data_directory') as directory, host(inet_server_addr()) as address`.execute(db)
    const { directory, address } = rows[0] ?? {}
    return address == null || address === '127.0.0.1' || address === '::1' ? directory : undefined
  } catch {
    return undefined
  }
}
