import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** The ids at which one period ends and the next begins. */
export interface PeriodBounds {
  outbox: number
  message: number
}

/**
 * Allocates ids that separate two periods. The caller must hold the exclusive lock that protects the period
 * (of the roles or of the stream), so that everything written or sent before gets smaller ids, and everything
 * after gets larger ones.
 */
export async function allocateBounds(tx: Tx): Promise<PeriodBounds> {
  const { rows } = await sql<PeriodBounds>`
    select nextval('outbox_id') as outbox, nextval('message_id') as message`.execute(tx)
  return rows[0] as PeriodBounds
}
