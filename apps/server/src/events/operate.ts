import pg from 'pg'
import type { Config } from '../platform/config/settings.ts'
import { connectionOptions } from '../platform/database/database.ts'
import { startNewStretch } from './sequencer/lineage.ts'

/**
 * Tells the server that its database was put back to an older state: event numbers and all ids jump beyond what may have
 * been given out since. `since` is the time of that state; without it, the time when the database was last in use.
 */
export async function noteRestoredDatabase({ database_url }: Config, since?: Date): Promise<void> {
  const client = new pg.Client(connectionOptions(database_url))
  await client.connect()
  try {
    await startNewStretch(client, since)
  } finally {
    await client.end()
  }
}
