import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Where one period ends and another begins. */
export interface Bounds {
  outbox: number
  message: number
}

/**
 * Taken while whatever the period is about is held alone: everything that was written or sent before has smaller ids,
 * everything after has larger ones.
 */
export async function takeBounds(tx: Tx): Promise<Bounds> {
  const { rows } = await sql<Bounds>`
    select nextval('outbox_id') as outbox, nextval('message_id') as message`.execute(tx)
  return rows[0] as Bounds
}
