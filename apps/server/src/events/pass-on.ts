import { sql } from 'kysely'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { pokeAfterCommit, rowsOf } from './emit.ts'
import type { Audience, Emission } from './record.ts'

/** For what nobody will miss after a moment: it names those whom it is for, and changes nothing. */
export type Passing = Required<Pick<Emission, 'organization_id' | 'event' | 'until'>> & {
  to: Required<Pick<Audience, 'users'>>
}

/**
 * Tells what is true only for a moment and stands in no row. It goes the way of all events, so it comes after the state of a
 * register and in order, but does not wait for the disk, and those who come together share one statement. Once this
 * returns, it is lost only if PostgreSQL dies in the next moment.
 */
export async function passOn(db: Db, passing: Passing): Promise<void> {
  await write(db, passing)
  pokeAfterCommit(db)
}

const write = coalesce<Passing, never>(async (db, passing) => {
  await sql`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into outbox (organization_id, width, header, event)
    select organization_id, width, header::json, event
    from ${rowsOf(passing)}, relaxed order by place`.execute(db)
  return []
})

/** The transaction commits without waiting for the disk: should PostgreSQL die in the next moment, it never was. */
export async function commitRelaxed(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}
