import type pg from 'pg'
import type { Batch } from '../record.ts'

/** The result of one pass over the outbox. */
export interface Pass {
  batches: Batch[]
  /** Number of outbox rows that the pass took. */
  taken: number
  /** The highest outbox id that the pass took; 0 if it took none. */
  highest: number
  /** Whether rows were left because the pass reached its limit. */
  isLimited: boolean
  /** All transactions with lower ids had ended when the pass began. */
  xmin: number
  /**
   * The transaction id of the pass, if `needsTransaction` is set; higher than any id that was assigned before
   * the pass.
   */
  xid: number | null
  /** The newest assigned outbox id, read after the snapshot of the pass. */
  newest: number
}

/**
 * Limits of one pass: large enough to catch up with a backlog, and small enough that a pass takes far less
 * than a second.
 */
const maxRowsPerPass = 2_000
const maxBytesPerPass = 4_000_000

/**
 * SQL: the newest assigned outbox id. A new sequence has its first value as `last_value` even before the
 * value is assigned.
 */
export const newestOutboxId = '(select case when is_called then last_value else 0 end from outbox_id)'

/**
 * Turns the oldest outbox rows into one batch per organization, with the next numbers of its log. It is a
 * single statement, so a crash leaves either all of its changes or none. It takes whichever rows exist above
 * the floor, not only those with ids above the last one taken, because transactions do not commit in the
 * order of their ids.
 */
const takeStatement = `
  with oldest as materialized (
    select id, size, sum(size) over (order by id) as total
    from (
      select id, coalesce(octet_length(event), 0) + pg_column_size(header) + 100 as size
      from outbox where id > $1 order by id limit ${maxRowsPerPass}
    ) as candidate
  ), taken as (
    delete from outbox where id = any (array(select id from oldest where total - size < ${maxBytesPerPass}))
    returning organization_id, tx::text::bigint as tx, id, width, header, event
  ), numbered as (
    select organization_id, sum(width)::bigint as width,
      json_agg(json_build_array(tx, id, width, header, event) order by id)::text as records
    from taken group by organization_id
  ), head as (
    insert into event_head as known (organization_id, last_seq)
    select organization_id, width from numbered order by organization_id
    on conflict (organization_id) do update
      set last_seq = known.last_seq + excluded.last_seq, moved_at = now()
    returning organization_id, last_seq
  ), written as (
    insert into event_batch (part, organization_id, first_seq, last_seq, records)
    select $2, organization_id, last_seq - width + 1, last_seq, records
    from numbered join head using (organization_id)
    returning organization_id, first_seq, last_seq, records
  )
  select
    pg_snapshot_xmin(snapshot)::text::bigint as xmin,
    case when $3 then pg_current_xact_id()::text::bigint end as xid,
    ${newestOutboxId} as newest,
    (select count(*) from oldest) as seen,
    (select count(*) from taken) as taken,
    (select coalesce(max(id), 0) from taken) as highest,
    written.*
  from pg_current_snapshot() as snapshot left join written on true`

type Row = Omit<Pass, 'batches' | 'isLimited'> & { seen: number } & {
  [Field in keyof Batch]: Batch[Field] | null
}

export interface PassOptions {
  /** The scan starts above this outbox id. */
  floor: number
  part: number
  /** Whether the pass gets a transaction id even if it writes nothing. */
  needsTransaction: boolean
}

export async function takeBatches(
  client: pg.ClientBase,
  { floor, part, needsTransaction }: PassOptions,
): Promise<Pass> {
  const values = [floor, part, needsTransaction]
  const { rows } = await client.query<Row>({ name: 'take', text: takeStatement, values })
  const [first] = rows
  if (!first) throw new Error('the sequencing statement always returns a row')
  const { xmin, xid, newest, taken, seen, highest } = first
  const batches = rows.flatMap(({ organization_id, first_seq, last_seq, records }) =>
    organization_id === null ? [] : [{ organization_id, first_seq, last_seq, records } as Batch],
  )
  // Computed from the counts of the statement itself: if a limited pass were regarded as complete, the
  // remaining rows would be lost.
  return { batches, taken, highest, isLimited: seen >= maxRowsPerPass || taken < seen, xmin, xid, newest }
}

/** Limits a tick to a few milliseconds, regardless of the number of organizations. */
export const maxOrganizationsPerTick = 500

/**
 * Uses the index to skip from one organization with queues to the next; organizations without queues cost
 * nothing.
 */
const tickStatement = `
  with recursive queued (id) as (
    (select organization_id from event_queue where organization_id > $3 order by organization_id limit 1)
    union all
    select (
      select organization_id from event_queue where organization_id > queued.id order by organization_id limit 1
    ) from queued where queued.id is not null
  ), looked as materialized (
    select id from queued where id is not null limit ${maxOrganizationsPerTick}
  ), quiet as (
    update event_head set last_seq = last_seq + 1, moved_at = now()
    where organization_id = any (array(select id from looked)) and moved_at < now() - $2 * interval '1 second'
    returning organization_id, last_seq
  ), written as (
    insert into event_batch (part, organization_id, first_seq, last_seq, records)
    select $1, organization_id, last_seq, last_seq, '[]' from quiet
    returning organization_id, first_seq, last_seq, records
  )
  select (select case when count(*) = ${maxOrganizationsPerTick} then max(id) end from looked) as next, written.*
  from (select) as always left join written on true`

export interface TickOptions {
  part: number
  quietSeconds: number
  /** `next` of the previous tick; 0 to start from the first organization. */
  after: number
}

export interface TickResult {
  batches: Batch[]
  /** The organization after which the next tick continues; 0 if this one has reached the last. */
  next: number
}

type TickRow = { next: number | null } & { [Field in keyof Batch]: Batch[Field] | null }

/**
 * Advances the log of quiet organizations by an empty batch, so that heartbeat ids advance too. No client
 * receives the batch. A tick visits a limited number of organizations, because the sequencer numbers no
 * events meanwhile.
 */
export async function tick(
  client: pg.ClientBase,
  { part, quietSeconds, after }: TickOptions,
): Promise<TickResult> {
  const values = [part, quietSeconds, after]
  const { rows } = await client.query<TickRow>({ name: 'tick', text: tickStatement, values })
  const batches = rows.flatMap(({ next: _, ...batch }) =>
    batch.organization_id === null ? [] : [batch as Batch],
  )
  return { batches, next: rows[0]?.next ?? 0 }
}
