import { userInfo } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Config } from '../config/settings.ts'
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
  pool: pg.Pool
  close(): Promise<void>
}

interface DatabaseOptions {
  /** Checks each new session before it is used. If the check rejects, the session is closed. */
  check?: (client: pg.ClientBase) => Promise<unknown>
  /** The class of the sessions. */
  Client?: typeof PreparingClient | undefined
  /** How long a request waits for a connection, and how long a transaction may pause between two statements. */
  databaseTimeoutMs?: number | undefined
}

/** Longer than a healthy node ever pauses between two statements. */
export const defaultDatabaseTimeoutMs = 5_000

export function openDatabase(
  config: Pick<Config, 'database_url' | 'database_pool_size'>,
  onError: (error: Error) => void,
  { check, Client = PreparingClient, databaseTimeoutMs = defaultDatabaseTimeoutMs }: DatabaseOptions = {},
): Database {
  const pool = new pg.Pool({
    ...connectionOptions(config.database_url),
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
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = () => Promise.race([db.destroy(), setTimeout(closeTimeoutMs, undefined, { ref: false })])
  return { db, pool, close }
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

/** Prefix of statements that are planned for one use; `readAdHoc` adds it. */
export const adHocPrefix = '/* ad hoc */ '

/** How long an ad hoc statement may run, in milliseconds. */
export const adHocTimeoutMs = 2_000

/**
 * Exceeds the number of statements in the code. Limits PostgreSQL's memory if some code generates statement
 * texts.
 */
const maxStatements = 1_000
const names = new Map<string, string>()

/**
 * Returns the name of the prepared statement, the same on every connection; undefined beyond
 * `maxStatements`.
 */
function statementName(text: string): string | undefined {
  const cached = names.get(text)
  if (cached || names.size >= maxStatements) return cached
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/**
 * Long lists are not prepared: a generic plan is made without their length and may scan the list once per row
 * of the table, which took half a minute for ten thousand ids.
 */
const isLongList = (value: unknown): boolean => Array.isArray(value) && value.length > 50

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
type Query = (text: string, values: unknown[]) => Promise<pg.QueryResult>

/**
 * Prepares every statement on first use, except ad hoc ones. PostgreSQL otherwise parses and plans each
 * execution, which takes longer than running it: one connection served 13,700 key lookups per second with
 * prepared statements, and 8,300 without.
 */
export class PreparingClient extends pg.Client {
  /** Part of statement names. Increased when a migration has made the prepared statements unusable. */
  #generation = 0

  constructor(config?: pg.ClientConfig) {
    super(config)
    // The pool listens to errors only after `connect`. If a session broke earlier, its unhandled error event
    // would end the process. The failed statement reports the same error.
    this.on('error', () => {})
    const plain = super.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((...args: unknown[]) => {
      const [text, values] = args
      const isKysely = args.length === 2 && typeof text === 'string' && Array.isArray(values)
      if (!isKysely) return plain(...args)
      return text.startsWith(adHocPrefix)
        ? this.#runAdHoc(plain, text, values)
        : this.#prepared(plain, text, values)
    }) as typeof this.query
  }

  /** Disables JIT, because compiling takes longer than running any statement of the server. */
  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
    const ready = super.connect().then(() => this.query('set jit = off'))
    if (!callback) return ready.then(() => this)
    ready.then(
      () => (callback as (error: null, client: pg.Client) => void)(null, this),
      callback as (error: Error) => void,
    )
    return undefined
  }

  /**
   * Plans the statement for this use only, and lets PostgreSQL cancel it after `adHocTimeoutMs`.
   */
  async #runAdHoc(plain: (...args: unknown[]) => unknown, text: string, values: unknown[]) {
    if (this.getTransactionStatus() !== 'I') return plain({ text, values })
    // The limit is local to a transaction, so that it cannot stay with the session, even behind a pooler.
    await plain(`begin read only; set local statement_timeout = ${adHocTimeoutMs}`)
    try {
      return await plain({ text, values })
    } finally {
      // After an error, `commit` rolls the transaction back.
      await plain('commit')
    }
  }

  async #prepared(plain: (...args: unknown[]) => unknown, text: string, values: unknown[]) {
    const run: Query = (text, values) => {
      const name = values.some(isLongList) ? undefined : statementName(text)
      return plain({
        text,
        values,
        ...(name && { name: `${name}_${this.#generation}` }),
      }) as ReturnType<Query>
    }
    try {
      return await run(text, values)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.#generation++
      // A failed transaction cannot continue here; `inTransaction` retries it.
      if (this.getTransactionStatus() !== 'I') throw error
      return run(text, values)
    }
  }
}

/** Whether a migration changed the result type of a prepared statement. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return code === '0A000' && message === 'cached plan must not change result type'
}
