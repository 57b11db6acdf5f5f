import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Makes PostgreSQL write all changes to its tables, after which it removes its log of them. Needs a
 * superuser.
 */
export async function writeCheckpoint(db: Db): Promise<void> {
  await sql`checkpoint`.execute(db)
}
