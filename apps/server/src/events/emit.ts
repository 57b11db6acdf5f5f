import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { hasRoleLock } from '../platform/database/locks.ts'
import { afterCommit, beforeCommit } from '../platform/database/transaction.ts'
import type { Emission, Header } from './record.ts'

const buffers = new WeakMap<Tx, Emission[]>()

/**
 * Emits an event in the transaction `tx`: the event is delivered if and only if the transaction commits.
 * Emissions are buffered and written as the transaction's last statement, after every row lock was taken, so
 * that the order of the log is the order of the changes. An audience by role requires the organization's role
 * lock (`writeAs` takes it).
 */
export function emit(tx: Tx, emission: Emission): void {
  const { to } = emission
  if ((to?.roles || to?.guests) && !hasRoleLock(tx, emission.organization_id)) {
    throw new Error(
      `cannot emit ${emission.event?.type} to an audience of roles without the organization's role lock; use writeAs`,
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
  afterCommit(tx, (db) => commitListeners.get(db)?.(emissions))
}

/**
 * Wakes the sequencer, in a transaction after its commit. An action that inserts its outbox row with a
 * statement of its own calls this; otherwise the row waits until the sequencer's next scan. Such rows must
 * not have effects, because only `emit` applies effects to the caches of this node right after the commit.
 */
export function wakeSequencer(db: Db): void {
  if (db.isTransaction) afterCommit(db as Tx, wakeSequencer)
  else commitListeners.get(db)?.([])
}

/**
 * Reserves outbox ids for events that `emitReserved` writes later, so that they precede all events that the
 * transaction writes in between. First assigns an id to the transaction, so that the sequencer waits for the
 * transaction.
 */
export async function reserveOutboxIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return []
  await sql`select pg_current_xact_id()`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    select nextval('outbox_id') as id from generate_series(1, ${count})`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Writes emissions with reserved outbox ids; there must not be more emissions than ids. They must not have
 * effects, and the caller must call `wakeSequencer`.
 */
export async function emitReserved(
  tx: Tx,
  ids: readonly number[],
  emissions: readonly Emission[],
): Promise<void> {
  await sql`
    insert into outbox (id, organization_id, width, header, event)
    select (${ids}::bigint[])[ordinal], organization_id, width, header::json, event
    from ${outboxRows(emissions)} order by ordinal`.execute(tx)
}

/**
 * Functions by database that are called after each commit with its emissions. A running node sets one;
 * commands that run without a node do not.
 */
export const commitListeners = new WeakMap<object, (emissions: readonly Emission[]) => void>()

async function writeOutbox(tx: Tx, emissions: readonly Emission[]): Promise<void> {
  await sql`
    insert into outbox (organization_id, width, header, event)
    select organization_id, width, header::json, event
    from ${outboxRows(emissions)} order by ordinal`.execute(tx)
}

/** Builds the SQL rows to insert into the outbox, numbered by `ordinal`. */
export const outboxRows = (emissions: readonly Emission[]): RawBuilder<unknown> => sql`unnest(
  ${emissions.map((emission) => emission.organization_id)}::bigint[],
  ${emissions.map((emission) => emission.eventCount ?? 1)}::int[],
  ${emissions.map((emission) => JSON.stringify(buildRecordHeader(emission)))}::text[],
  ${emissions.map((emission) => (emission.event ? JSON.stringify(emission.event) : null))}::text[]
) with ordinality as emitted (organization_id, width, header, event, ordinal)`

/** Builds the record header from the known fields of an emission; other fields are left out. */
export function buildRecordHeader(emission: Emission): Header {
  const { event, to, parts, flags, flagsOfAll, echo, isPublic, deferred, since, until, effects } = emission
  return {
    ...(event && { type: event.type }),
    ...(to && { to }),
    ...(parts && { parts }),
    ...(flags && { flags }),
    ...(flagsOfAll && { flagsOfAll }),
    ...(echo && { echo }),
    ...(isPublic && { isPublic }),
    ...(deferred && { deferred }),
    ...(since && { since }),
    ...(until && { until }),
    ...(effects && { effects }),
  }
}
