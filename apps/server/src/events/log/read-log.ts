import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DirectConnection } from '../direct-connection.ts'
import type { Batch } from '../record.ts'
import { isOwnLog } from '../sequencer/lineage.ts'

/** Where an organization's log stands, and which of its numbers are gone. */
export interface Place {
  position: number
  dropped: number
  holes: { first: number; last: number }[]
}

export async function findPlace(db: Db, id: OrganizationId): Promise<Place> {
  const head = await db
    .selectFrom('event_head')
    .select(['last_seq', 'dropped_seq'])
    .where('organization_id', '=', id)
    .executeTakeFirst()
  const { rows: holes } = await sql<{ first: number; last: number }>`
    select first_seq as first, last_seq as last from event_batch
    where organization_id = ${id} and records is null`.execute(db)
  return { position: head?.last_seq ?? 0, dropped: head?.dropped_seq ?? 0, holes }
}

export interface Head {
  last_seq: number
  /** False after a failover or a restart, until holes were left where numbers may have been lost. */
  isOwn: boolean
}

export async function findHead(db: Db, id: OrganizationId): Promise<Head> {
  const { rows } = await sql<Head>`
    select coalesce((select last_seq from event_head where organization_id = ${id}), 0) as last_seq,
      ${sql.raw(isOwnLog)} as "isOwn"
    from event_log`.execute(db)
  return rows[0] ?? { last_seq: 0, isOwn: false }
}

/** Batches of one organization that one statement returns at most. */
const mostBatches = 25

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
       order by last_seq limit ${mostBatches}
     ) as batch
     order by batch.organization_id, last_seq`,
    [asked.map(({ id }) => id), asked.map(({ position }) => position)],
  )
  const counts = Map.groupBy(batches, ({ organization_id }) => organization_id)
  return { batches, isWhole: ![...counts.values()].some(({ length }) => length === mostBatches) }
}

/** Whether these batches follow each other and begin right after this number: nothing between was dropped from the log. */
export function areGapless(batches: readonly Batch[], after: number): boolean {
  let last = after
  for (const { first_seq, last_seq } of batches) {
    if (first_seq > last + 1) return false
    last = last_seq
  }
  return true
}

/** What lies before the window, for a client that stood still for longer than that reaches back. */
export async function readBatchesBetween(
  db: Db,
  id: OrganizationId,
  after: number,
  upTo: number,
  limit = mostBatches,
): Promise<Batch[]> {
  const { rows } = await sql<Batch>`
    select organization_id, first_seq, last_seq, records from event_batch
    where organization_id = ${id} and last_seq > ${after} and first_seq <= ${upTo}
    order by last_seq limit ${limit}`.execute(db)
  return rows
}
