import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Manifest } from '../../platform/archive/manifest.ts'
import { baseline, isOlderThanBaseline, isReplaced } from '../../platform/database/baseline.ts'
import type { Migration } from '../../platform/database/list-migrations.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/**
 * Returns the migrations that create the tables of the backup. They are those with which it was made, with the
 * baseline in place of the migrations that it replaces. Throws an `OperatorError` if this release cannot create these
 * tables.
 */
export function chooseMigrations(manifest: Manifest, known: readonly Migration[]): Migration[] {
  const names = manifest.migrations.map(({ name }) => name)
  if (isOlderThanBaseline(names))
    throw new OperatorError(
      `The backup was made by Oxbow ${manifest.version} and is too old for this version: its newest migration is ${names.toSorted().at(-1)}.\n` +
        `Install the commit ${baseline.lastCommit} of Oxbow, restore the backup with it into an empty database, and then upgrade to this version.`,
    )
  const isBeforeBaseline = names.some(isReplaced) && !names.includes(baseline.name)
  return [
    ...known.filter(({ name }) => isBeforeBaseline && name === baseline.name),
    ...manifest.migrations.filter(({ name }) => !isReplaced(name)),
  ].map(({ name, checksum }, index) => {
    const migration = known.find((candidate) => candidate.name === name)
    // Without the migrations before it, a migration fails or creates other tables than those of the backup.
    if (migration && migration !== known[index])
      throw new OperatorError(
        `The backup lists the migration ${name} in another place than this release. It was changed by hand, or is damaged. Nothing was changed.`,
      )
    if (migration?.checksum === checksum) return migration
    const reason = migration ? 'another form of the migration' : 'a newer schema with the migration'
    throw new OperatorError(
      `The backup was made by Oxbow ${manifest.version} and has ${reason} ${name}. Restore it with that release, or a newer one.`,
    )
  })
}

/**
 * Throws an `OperatorError` unless the database has the encoding of the backup, its PostgreSQL is not older
 * than that of the backup, and it is empty and not in use. `migrations` create the tables of the backup.
 */
export async function refuseUnsuitableDatabase(
  client: pg.Client,
  manifest: Manifest,
  migrations: readonly Migration[],
): Promise<void> {
  await refuseOldServer(client, manifest)
  await refuseUsedDatabase(client)
  await refuseFilledDatabase(client, migrations)
}

async function refuseOldServer(client: pg.Client, { postgres, encoding }: Manifest): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('server_encoding') as encoding",
  )
  const found = rows[0] ?? { version: '0', encoding: '' }
  if (Number.parseInt(found.version, 10) < Number.parseInt(postgres, 10))
    throw new OperatorError(
      `The backup is of PostgreSQL ${postgres}, and this server is PostgreSQL ${found.version}. Restore it into the same or a newer version.`,
    )
  if (found.encoding !== encoding)
    throw new OperatorError(
      `The backup is of a database with the encoding ${encoding}, and this one has ${found.encoding}. Create it anew: createdb --encoding=${encoding} --template=template0`,
    )
}

/**
 * PostgreSQL ends closed sessions with a delay, so the check for other sessions is made up to `maxAttempts`
 * times, with pauses.
 */
const [maxAttempts, pauseMs] = [10, 200]

/** Throws an `OperatorError` if other sessions use the database. */
export async function refuseUsedDatabase(client: pg.Client): Promise<void> {
  let sessions = await listSessions(client)
  for (let attempt = 1; sessions.length > 0 && attempt < maxAttempts; attempt++) {
    await setTimeout(pauseMs)
    sessions = await listSessions(client)
  }
  if (sessions.length > 0)
    throw new OperatorError(
      `The database is in use by ${sessions.join(', ')}. Stop all nodes and other programs that use it, or restore into another database: DATABASE_URL.`,
    )
}

/**
 * Lists other sessions of the database. For sessions of other roles, PostgreSQL shows the role but not the
 * kind of session, so they are all included. PostgreSQL's internal sessions have no role and are left out.
 */
async function listSessions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ pid: number; name: string }>(
    `select pid, coalesce(nullif(application_name, ''), usename::text) as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
       and coalesce(backend_type, 'client backend') = 'client backend'`,
  )
  return rows.map(({ pid, name }) => `${name} (process ${pid})`)
}

async function refuseFilledDatabase(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const advice =
    'Restore into an empty database: another name in DATABASE_URL, which is created, or `dropdb` and `createdb` if you do not need its content.'
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p', 'v', 'm', 'f') and nspname !~ '^pg_' and nspname <> 'information_schema'
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`,
  )
  const names = new Set(rows.map(({ name }) => name))
  if (names.size === 0) return
  if (!names.has('schema_migration') || !names.has('organization')) {
    // A restore that was killed before its first migration leaves only these tables.
    for (const own of ['schema_migration', 'schema_function']) names.delete(own)
    if (names.size === 0) return
    throw new OperatorError(`The database has tables of another program, like ${[...names][0]}. ${advice}`)
  }
  const { rows: used } = await client.query<{ organizations: number }>(
    'select count(*) as organizations from organization',
  )
  if (Number(used[0]?.organizations) > 0)
    throw new OperatorError(`The database already has ${used[0]?.organizations} organizations. ${advice}`)
  const { rows: applied } = await client.query<{ name: string }>('select name from schema_migration')
  const knownNames = new Set(migrations.map(({ name }) => name))
  const newer = applied.find(({ name }) => !knownNames.has(name) && !isReplaced(name))
  if (newer)
    throw new OperatorError(
      `The database was prepared for a newer release than the backup's (${newer.name}). It has no organizations. ${advice}`,
    )
}
