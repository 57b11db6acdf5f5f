import { randomBytes } from 'node:crypto'
import { connectionOptions, loadConfig, migrateDatabase, schemaVersion } from '@oxbow/server'
import pg from 'pg'
import { eventually } from './eventually.ts'
import { connectionsFor, databasesFor, urlOf } from './test-postgres.ts'

export const testSecret = 'a secret for tests, as long as it must be'

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** Runs SQL directly in the database, without a node. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/**
 * Creates a database for one test within a fraction of a second, by cloning a migrated template. With
 * `isEmpty`, the database has no tables.
 */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const name = `oxbow_test_${randomBytes(6).toString('hex')}`
  const connections = await reserveConnections()
  await asAdministrator(async (client) => {
    const template = isEmpty ? 'template0' : await ensureTemplate(client)
    await client.query(`create database ${name} template ${template}`)
    // No test crashes this server. Tests of crashes start their own server, with synchronous commits.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  const url = urlOf(name)
  const pool = new pg.Pool({ ...connectionOptions(url), ...longLimits, max: 2, idleTimeoutMillis: 10_000 })
  pool.on('error', () => {})
  return {
    url,
    query: async (text, values) => (await pool.query(text, values)).rows,
    async [Symbol.asyncDispose]() {
      await pool.end()
      await asAdministrator((client) => client.query(`drop database if exists ${name} with (force)`))
      await connections[Symbol.asyncDispose]()
    },
  }
}

/**
 * Time limits of SQL that tests run themselves. Statements that fill tables may take long while other tests use the
 * processors, and test processes wait for each other when they create a template.
 */
const longLimits = { statement_timeout: 600_000, lock_timeout: 600_000, query_timeout: 610_000 }

const reservationLock = 7302

/**
 * Waits until the server has enough connections left for one more test database, so that concurrent
 * test processes never get "too many clients". A reservation is an advisory lock, which is released
 * when its process ends.
 */
async function reserveConnections(): Promise<AsyncDisposable> {
  const client = new pg.Client(connectionOptions(urlOf('postgres')))
  await client.connect()
  try {
    const { rows } = await client.query("select current_setting('max_connections')::int as count")
    const slots = databasesFor(rows[0].count)
    if (slots < 1)
      throw new Error(
        `Tests need more connections than the ${rows[0].count} of PostgreSQL. Set max_connections to at least ${connectionsFor(2)}.`,
      )
    const take = `select slot from generate_series(1, ${slots}) as slot
      where pg_try_advisory_lock(${reservationLock}, slot) limit 1`
    await eventually(async () => (await client.query(take)).rowCount === 1, 300_000).catch((cause) => {
      throw new Error(
        `No connections became free for a test database. PostgreSQL accepts ${rows[0].count}; set max_connections higher.`,
        { cause },
      )
    })
    return { [Symbol.asyncDispose]: () => client.end() }
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Returns the template of the current migrations, and creates it if it is missing. Concurrent
 * callers wait.
 */
async function ensureTemplate(client: pg.Client): Promise<string> {
  const template = `oxbow_template_${schemaVersion()}`
  await client.query('select pg_advisory_lock(7300)')
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount) return template
    const making = `${template}_making`
    await client.query(`drop database if exists ${making} with (force)`)
    await client.query(`create database ${making}`)
    const { config } = loadConfig({ database_url: urlOf(making), secret: testSecret }, {})
    await migrateDatabase(config)
    await client.query(`alter database ${making} rename to ${template}`)
    return template
  } finally {
    await client.query('select pg_advisory_unlock(7300)')
  }
}

async function asAdministrator<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ...connectionOptions(urlOf('postgres')), ...longLimits })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Runs `work` while this process holds an advisory lock of the test server, so that concurrent test
 * processes do the work one after the other.
 */
export async function withTestServerLock<Result>(lock: number, work: () => Promise<Result>): Promise<Result> {
  return asAdministrator(async (client) => {
    await client.query('select pg_advisory_lock($1)', [lock])
    return work()
  })
}
