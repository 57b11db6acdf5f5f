import { connectionOptions, loadConfig } from '@oxbow/server'
import pg from 'pg'

// Exits with 0 if PostgreSQL responds at DATABASE_URL, or by default at the local socket.
const { database_url } = loadConfig().config
const client = new pg.Client({ ...connectionOptions(database_url), database: 'postgres' })
try {
  await client.connect()
  const { rows } = await client.query('show server_version')
  process.stdout.write(`PostgreSQL ${rows[0].server_version} at ${client.host}\n`)
  await client.end()
} catch (error) {
  process.stderr.write(`PostgreSQL at ${client.host}: ${(error as Error).message}\n`)
  process.exitCode = 1
}
