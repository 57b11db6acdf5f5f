import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { holdsRoles } from '../platform/database/locks.ts'
import { afterCommit, beforeCommit } from '../platform/database/transaction.ts'
import type { Emission, Header } from './record.ts'

const buffers = new WeakMap<Tx, Emission[]>()

/**
 * The only way to make an event. It is buffered and written as the transaction's last statement, after every row lock:
 * only then is the order of the log the order of the changes.
 */
export function emit(tx: Tx, emission: Emission): void {
  if (emission.to?.roles && !holdsRoles(tx, emission.organization_id)) {
    throw new Error(
      `an event for a class of roles (${emission.event?.type}) is emitted without holding the roles`,
    )
  }
  const buffered = buffers.get(tx)
  if (buffered) {
    buffered.push(emission)
    return
  }
  const emissions = [emission]
  buffers.set(tx, emissions)
  beforeCommit(tx, () => writeOutbox(tx, emissions))
  afterCommit(tx, (db) => onCommit.get(db)?.(emissions))
}

/**
 * For an action that puts its row into the outbox with a statement of its own, as its last one: to be called after the
 * commit. Without it the row waits until the sequencer looks by itself. Such rows have no effects, which a node that
 * makes them must know of at once.
 */
export function pokeAfterCommit(db: Db): void {
  onCommit.get(db)?.([])
}

/** Whom to tell after a commit what it put into the outbox; set by the node, if there is one. */
export const onCommit = new WeakMap<object, (emissions: readonly Emission[]) => void>()

async function writeOutbox(tx: Tx, emissions: readonly Emission[]): Promise<void> {
  await sql`
    insert into outbox (organization_id, width, header, event)
    select organization_id, width, header::json, event
    from ${rowsOf(emissions)} order by place`.execute(tx)
}

/** SQL: what the outbox has of them, and their places. */
export const rowsOf = (emissions: readonly Emission[]): RawBuilder<unknown> => sql`unnest(
  ${emissions.map((each) => each.organization_id)}::bigint[],
  ${emissions.map((each) => each.width ?? 1)}::int[],
  ${emissions.map((each) => JSON.stringify(headerOf(each)))}::text[],
  ${emissions.map((each) => (each.event ? JSON.stringify(each.event) : null))}::text[]
) with ordinality as emitted (organization_id, width, header, event, place)`

/** What goes beside the event, and nothing else that an emission may have by mistake. */
export function headerOf(emission: Emission): Header {
  const { event, to, parts, flags, flagsOfAll, echo, isPublic, unhurried, until, effects } = emission
  return {
    ...(event && { type: event.type }),
    ...(to && { to }),
    ...(parts && { parts }),
    ...(flags && { flags }),
    ...(flagsOfAll && { flagsOfAll }),
    ...(echo && { echo }),
    ...(isPublic && { isPublic }),
    ...(unhurried && { unhurried }),
    ...(until && { until }),
    ...(effects && { effects }),
  }
}
