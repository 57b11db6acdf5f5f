import { randomBytes } from 'node:crypto'
import { connectionOptions, loadConfig, migrateDatabase, schemaVersion } from '@oxbow/server'
import pg from 'pg'
import { eventually } from './eventually.ts'

/** The server that tests make their databases on. */
const serverUrl = process.env.DATABASE_URL ?? 'postgres:///postgres?host=/var/run/postgresql'

export const testSecret = 'a secret for tests, as long as it must be'

export function urlOf(database: string): string {
  return serverUrl.replace(/^(\w+:\/\/[^/]*)\/[^?]*/, `$1/${database}`)
}

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** Runs SQL behind the server's back. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/** A database of the test's own, cloned from a migrated one: a fraction of a second, whatever the migrations take. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `oxbow_test_${randomBytes(6).toString('hex')}`
  const connections = await reserveConnections()
  await asAdministrator(async (client) => {
    const template = await ensureTemplate(client)
    await client.query(`create database ${name} template ${template}`)
    // Nobody crashes this server: those that are crashed are started for it, and wait for the disk.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  const url = urlOf(name)
  const pool = new pg.Pool({ ...connectionOptions(url), max: 2, idleTimeoutMillis: 500 })
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

/** What two nodes, their test and the reservation itself use at most. */
const connectionsPerDatabase = 20
/** For administration, and for people and programs that use the same server. */
const spareConnections = 10
const reservationLock = 7302

/**
 * Waits until the server has connections left for one more test database, so that test processes which run at once
 * never meet "too many clients". A reservation is an advisory lock, which ends with its process.
 */
async function reserveConnections(): Promise<AsyncDisposable> {
  const client = new pg.Client(connectionOptions(urlOf('postgres')))
  await client.connect()
  try {
    const { rows } = await client.query("select current_setting('max_connections')::int as count")
    const slots = Math.floor((rows[0].count - spareConnections) / connectionsPerDatabase)
    if (slots < 1) throw new Error(`PostgreSQL has too few connections for tests: ${rows[0].count}`)
    const take = `select slot from generate_series(1, ${slots}) as slot
      where pg_try_advisory_lock(${reservationLock}, slot) limit 1`
    await eventually(async () => (await client.query(take)).rowCount === 1, 300_000)
    return { [Symbol.asyncDispose]: () => client.end() }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** One template for each state of the migrations; test files that start at once wait for the one that makes it. */
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
  const client = new pg.Client(connectionOptions(urlOf('postgres')))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
