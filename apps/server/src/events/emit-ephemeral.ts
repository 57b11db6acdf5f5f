import { sql } from 'kysely'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { outboxRows, wakeSequencerAfterCommit } from './emit.ts'
import type { Audience, Emission } from './record.ts'

/** An event that is true only until `until`, for named accounts. It has no effects. */
export type EphemeralEmission = Required<Pick<Emission, 'organization_id' | 'event' | 'until'>> & {
  to: Required<Pick<Audience, 'users'>>
}

/**
 * Emits an event that is stored in no table, such as "is typing". It goes through the outbox like
 * every event, so it is ordered with them and consistent with a register's cut. The commit does not
 * wait for the disk, and concurrent calls share one statement. After this resolves, the event is
 * lost only if PostgreSQL crashes within a moment.
 */
export async function emitEphemeral(db: Db, emission: EphemeralEmission): Promise<void> {
  await write(db, emission)
  wakeSequencerAfterCommit(db)
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
 * Lets the transaction commit without waiting for the disk. A crash of PostgreSQL right after may
 * lose all of it.
 */
export async function commitRelaxed(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}
