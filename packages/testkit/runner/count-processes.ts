import { availableParallelism } from 'node:os'
import pg from 'pg'
import { connectionOptions } from '../../../apps/server/src/platform/database/database.ts'
import { connectionsFor, databasesFor, urlOf } from '../src/test-postgres.ts'

/** Databases that one test process may use at once: the shared one and that of a test with a separate server. */
const databasesPerProcess = 2

/**
 * Returns the number of test processes: one more than there are processors, because most files wait for clusters,
 * processes and browsers part of the time. PostgreSQL may accept too few connections for that.
 */
export async function countProcesses(): Promise<number> {
  const wanted = availableParallelism() + 1
  const connections = await readConnectionLimit()
  const possible = Math.max(1, Math.floor(databasesFor(connections) / databasesPerProcess))
  if (possible >= wanted) return wanted
  process.stdout.write(
    `The tests run in ${possible} instead of ${wanted} processes, because PostgreSQL accepts ${connections} connections.\n` +
      `Set max_connections to ${connectionsFor(wanted * databasesPerProcess)}, or start a server with scripts/start-postgres.sh --for-tests DIRECTORY PORT.\n`,
  )
  return possible
}

async function readConnectionLimit(): Promise<number> {
  const client = new pg.Client(connectionOptions(urlOf('postgres')))
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('max_connections')::int as count")
    return rows[0].count
  } catch (cause) {
    process.stderr.write(
      `The tests need PostgreSQL, at the local socket or at DATABASE_URL: ${(cause as Error).message}\n`,
    )
    process.exit(1)
  } finally {
    await client.end().catch(() => {})
  }
}
