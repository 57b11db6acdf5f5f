import pg from 'pg'
import { startNewEpoch } from '../events/sequencer/lineage.ts'
import type { Config } from '../platform/config/settings.ts'
import { connectionOptions } from '../platform/database/database.ts'

/**
 * Records that the database was restored to an older state: event numbers and all ids jump beyond those that
 * may have been assigned since. `since` is the time of the restored state; by default, the time at which the
 * database was last in use.
 */
export async function recordDatabaseRestore({ database_url }: Config, since?: Date): Promise<void> {
  const client = new pg.Client(connectionOptions(database_url))
  await client.connect()
  try {
    await startNewEpoch(client, since)
  } finally {
    await client.end()
  }
}
