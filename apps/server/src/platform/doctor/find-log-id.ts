import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/**
 * Returns the id of the event log, which changes when a database is restored, or copied and then used by a node;
 * undefined before the first start of a node.
 */
export async function findLogId(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id::text from event_log`.execute(db)
  return rows[0]?.id
}
