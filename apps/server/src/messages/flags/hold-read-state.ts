import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { horizonOf, type Sighting } from './horizon.ts'

/** Held until the transaction ends: nobody else changes what this account has read, starred or collapsed. */
export interface ReadState {
  /** Below it everything is read that has no mark: the account's own number. */
  readTo: number
  /** No message up to this one can still appear. */
  settled: number
}

/** Take it right after the actor, before any other row and before anything is written. */
export async function holdReadState(
  app: App,
  tx: Tx,
  { organization_id, user_id }: Reader,
): Promise<ReadState> {
  const { rows } = await sql<Sighting & { own_read_to: number }>`
    select * from hold_read_state(${organization_id}, ${user_id})`.execute(tx)
  const [seen] = rows
  if (!seen) throw new Error('hold_read_state always returns a row')
  return { readTo: seen.own_read_to, settled: horizonOf(app).learn(seen) }
}
