import pg from 'pg'
import type { Config } from '../config/settings.ts'
import { SetupError } from '../operator-error.ts'
import { connectionOptions } from './database.ts'

/** Sessions of a node in addition to its pool: the sequencer's lock, notifications and the log monitor. */
const sessionsBesidePool = 3

type ConnectionNeeds = Pick<Config, 'database_url' | 'database_pool_size'>

/**
 * Throws if these processes together may open more connections than PostgreSQL accepts. Returns a warning
 * if one more process, which a rolling restart starts, would exceed that limit; otherwise undefined.
 */
export async function refuseTooManyProcesses(
  { database_url, database_pool_size }: ConnectionNeeds,
  processes: number,
): Promise<string | undefined> {
  const available = await readConnectionLimit(database_url)
  const perProcess = database_pool_size + sessionsBesidePool
  const needs = `${processes} processes open up to ${processes * perProcess} connections to PostgreSQL (${perProcess} each: a pool of ${database_pool_size} and ${sessionsBesidePool} more)`
  const remedy =
    'Raise max_connections of PostgreSQL, or lower OXBOW_DATABASE_POOL_SIZE or the number of processes (--processes, OXBOW_PROCESSES).'
  if (processes * perProcess > available)
    throw new SetupError(`${needs}, but it accepts only ${available} from this role.\n${remedy}`)
  if ((processes + 1) * perProcess > available)
    return `${needs}, which accepts ${available} from this role. A rolling restart needs ${perProcess} more for a short time. ${remedy}`
  return undefined
}

/** Returns how many connections PostgreSQL accepts from the role of this node to its database. */
async function readConnectionLimit(databaseUrl: string): Promise<number> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  await client.connect()
  try {
    const { rows } = await client.query<{ available: number }>(
      `select least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0),
         nullif(datconnlimit, -1), nullif(rolconnlimit, -1)) as available
       from pg_database, pg_roles
       where datname = current_database() and rolname = current_user`,
    )
    return rows[0]?.available ?? 0
  } finally {
    await client.end()
  }
}
