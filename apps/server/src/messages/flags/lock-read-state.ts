import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { getHorizon, type HorizonObservation } from './horizon.ts'

/**
 * The read positions of an account whose read state is locked. Until the transaction ends, no other
 * transaction can change which messages the account has read, starred or collapsed.
 */
export interface ReadState {
  /**
   * The account's read position: messages with smaller ids are read unless they have a read mark.
   */
  readTo: number
  /** No message with this id or a smaller one can still appear. */
  settledTo: number
}

/**
 * Locks the account's read state. Must be called right after locking the actor, before any other
 * row lock or write.
 */
export async function lockReadState(
  app: App,
  tx: Tx,
  { organization_id, user_id }: Reader,
): Promise<ReadState> {
  const { rows } = await sql<HorizonObservation & { own_read_to: number }>`
    select * from hold_read_state(${organization_id}, ${user_id})`.execute(tx)
  const [observation] = rows
  if (!observation) throw new Error('hold_read_state always returns a row')
  return { readTo: observation.own_read_to, settledTo: getHorizon(app).observe(observation) }
}
