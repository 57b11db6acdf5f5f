import { sql } from 'kysely'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { outboxRows, wakeSequencer } from './emit.ts'
import type { Audience, Emission } from './record.ts'

/** An event for listed accounts that is valid only until the time `until`. It has no effects. */
export type EphemeralEmission = Required<Pick<Emission, 'organization_id' | 'event' | 'until'>> & {
  to: Required<Pick<Audience, 'users'>>
}

/**
 * Emits an event about short-lived state that no table stores, such as "is typing". Like every event, it is
 * written to the outbox, so it is ordered with all other events and consistent with the cut of a `register`.
 * The commit does not wait for the disk, and concurrent calls share one statement. After the promise
 * resolves, the event is lost only if PostgreSQL crashes right after.
 */
export async function emitEphemeral(db: Db, emission: EphemeralEmission): Promise<void> {
  await write(db, emission)
  wakeSequencer(db)
}

const write = coalesce<EphemeralEmission, never>(async (db, emission) => {
  await sql`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into outbox (organization_id, width, header, event)
    select organization_id, width, header::json, event
    from ${outboxRows(emission)}, relaxed order by ordinal`.execute(db)
  return []
})

/**
 * Lets the transaction commit without waiting for the disk. If PostgreSQL crashes right after, the whole
 * transaction may be lost.
 */
export async function commitRelaxed(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}
