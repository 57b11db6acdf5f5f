import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DirectConnection } from '../direct-connection.ts'
import type { Batch } from '../record.ts'
import { isLineageIntact } from '../sequencer/lineage.ts'

/** The head of an organization's log, and the numbers whose records no longer exist. */
export interface LogState {
  position: number
  droppedTo: number
  holes: { first: number; last: number }[]
}

export async function findLogState(db: Db, id: OrganizationId): Promise<LogState> {
  const head = await db
    .selectFrom('event_head')
    .select(['last_seq', 'dropped_seq'])
    .where('organization_id', '=', id)
    .executeTakeFirst()
  const { rows: holes } = await sql<{ first: number; last: number }>`
    select first_seq as first, last_seq as last from event_batch
    where organization_id = ${id} and records is null`.execute(db)
  return { position: head?.last_seq ?? 0, droppedTo: head?.dropped_seq ?? 0, holes }
}

export interface Head {
  last_seq: number
  /** False after a failover or a restart of PostgreSQL, until numbers that may be lost have become holes. */
  isLineageIntact: boolean
}

export async function findHead(db: Db, id: OrganizationId): Promise<Head> {
  const { rows } = await sql<Head>`
    select coalesce((select last_seq from event_head where organization_id = ${id}), 0) as last_seq,
      ${sql.raw(isLineageIntact)} as "isLineageIntact"
    from event_log`.execute(db)
  return rows[0] ?? { last_seq: 0, isLineageIntact: false }
}

/** Maximum number of batches per organization and statement. */
const maxBatchesPerRead = 25

/** Returns the next batches after each position. `isWhole`: all existing batches were returned. */
export async function readBatches(
  connection: DirectConnection,
  asked: { id: OrganizationId; position: number }[],
): Promise<{ batches: Batch[]; isWhole: boolean }> {
  const batches = await connection.query<Batch>(
    `select batch.organization_id, first_seq, last_seq, records
     from unnest($1::bigint[], $2::bigint[]) as asked (organization_id, position)
     cross join lateral (
       select organization_id, first_seq, last_seq, records from event_batch
       where event_batch.organization_id = asked.organization_id and last_seq > asked.position
       order by last_seq limit ${maxBatchesPerRead}
     ) as batch
     order by batch.organization_id, last_seq`,
    [asked.map(({ id }) => id), asked.map(({ position }) => position)],
  )
  const counts = Map.groupBy(batches, ({ organization_id }) => organization_id)
  return { batches, isWhole: ![...counts.values()].some(({ length }) => length === maxBatchesPerRead) }
}

/** Whether the batches begin right after this number and have no gap, which means that none was dropped. */
export function areGapless(batches: readonly Batch[], after: number): boolean {
  let last = after
  for (const { first_seq, last_seq } of batches) {
    if (first_seq > last + 1) return false
    last = last_seq
  }
  return true
}

/**
 * Returns batches in order, for a client whose cursor is older than the records in memory.
 */
export async function readBatchesBetween(
  db: Db,
  id: OrganizationId,
  after: number,
  upTo: number,
  limit = maxBatchesPerRead,
): Promise<Batch[]> {
  const { rows } = await sql<Batch>`
    select organization_id, first_seq, last_seq, records from event_batch
    where organization_id = ${id} and last_seq > ${after} and first_seq <= ${upTo}
    order by last_seq limit ${limit}`.execute(db)
  return rows
}
