import { userInfo } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Config } from '../config/settings.ts'
import { type ConnectionUse, MeasuredPool } from './measured-pool.ts'
import { PreparingClient, type PreparingClientConfig } from './preparing-client.ts'
import type { Tables } from './tables.ts'

/**
 * A connection for reads: it has no methods that write. Functions that lock or write take a `Tx`, so that the
 * compiler finds missing transactions. SQL written as text is not checked by the compiler.
 */
export type Db = Omit<
  Kysely<Tables>,
  'insertInto' | 'replaceInto' | 'updateTable' | 'deleteFrom' | 'mergeInto' | 'schema' | 'destroy'
>
/** A transaction; also a `Db`. */
export type Tx = Transaction<Tables>

/**
 * Returns the methods that write, for a change of a single statement, which needs no explicit transaction.
 */
export const autocommit = (db: Db): Pick<Tx, 'insertInto' | 'updateTable' | 'deleteFrom'> => db as Tx

/** Parses bigint as number: ids will not exceed the exact range of numbers for centuries. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  // The type bigint[].
  [1016, parseNumbers],
])

function parseNumbers(text: string): (number | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : Number(item)))
}

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/**
 * Limits how long closing takes, because a session that broke while in use may never be returned to the pool.
 */
const closeTimeoutMs = 5_000

export interface Database {
  db: Db
  /** For requests that read much, like pages of messages. They leave some connections to all others. */
  reads: Db
  pool: pg.Pool
  /** Counts and waits of both. */
  connections: MeasuredPool
  close(): Promise<void>
}

interface DatabaseOptions {
  /** Checks each new session before it is used. If the check rejects, the session is closed. */
  check?: (client: pg.ClientBase) => Promise<unknown>
  /** The class of the sessions. */
  Client?: typeof PreparingClient | undefined
  /** How long a request waits for a connection, and how long a transaction may pause between two statements. */
  databaseTimeoutMs?: number | undefined
  /** How long a statement that depends on the request, like a search, may run. */
  adHocTimeoutMs?: number | undefined
}

/** Longer than a healthy node ever pauses between two statements. */
export const defaultDatabaseTimeoutMs = 5_000

export function openDatabase(
  config: Pick<Config, 'database_url' | 'database_pool_size'>,
  onError: (error: Error) => void,
  {
    check,
    Client = PreparingClient,
    databaseTimeoutMs = defaultDatabaseTimeoutMs,
    adHocTimeoutMs,
  }: DatabaseOptions = {},
): Database {
  const options: PreparingClientConfig = { ...connectionOptions(config.database_url), adHocTimeoutMs }
  const pool = new pg.Pool({
    ...options,
    Client,
    max: config.database_pool_size,
    connectionTimeoutMillis: databaseTimeoutMs,
    idleTimeoutMillis: 60_000,
    // The session of a node that is suspended in the middle of a transaction must not keep its locks.
    idle_in_transaction_session_timeout: databaseTimeoutMs,
    ...(check && {
      verify: (client, done) => {
        check(client).then(() => done(), done)
      },
    }),
  })
  // The pool replaces broken connections; without a listener their error would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const connections = new MeasuredPool(pool)
  const openFor = (use: ConnectionUse) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections.for(use) }) })
  const [db, reads] = [openFor('others'), openFor('reads')]
  const close = () => Promise.race([db.destroy(), setTimeout(closeTimeoutMs, undefined, { ref: false })])
  return { db, reads, pool, connections, close }
}

/**
 * Lets a transaction pause for this many seconds between two statements, because it waits for something other
 * than PostgreSQL. If the node is suspended meanwhile, its locks are kept for that long.
 */
export async function allowPause(tx: Tx, seconds: number): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', ${`${seconds}s`}, true)`.execute(tx)
}

export function connectionOptions(url: string): pg.ClientConfig {
  return {
    ...withUser(url),
    application_name: 'oxbow',
    types,
    // No statement may use a connection for longer than this.
    statement_timeout: 30_000,
    lock_timeout: 15_000,
    // Detects a server that vanished without closing the connection.
    query_timeout: 35_000,
    keepAlive: true,
  }
}

/**
 * Adds the user name: if neither the URL nor PGUSER has one, it is the operating system's user, as with psql.
 */
function withUser(url: string): pg.ClientConfig {
  const { user, ...parsed } = parseIntoClientConfig(url)
  return { ...parsed, user: user || process.env.PGUSER || userInfo().username }
}
