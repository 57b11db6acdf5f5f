import type pg from 'pg'
import type { Batch } from '../record.ts'

export interface Pass {
  batches: Batch[]
  /** How many outbox rows were taken, and the highest of their ids. */
  taken: number
  highest: number
  /** There was more than one pass may take. */
  isLimited: boolean
  /** No transaction below this one was running when the pass began. */
  xmin: number
  /** The pass's own transaction, if it was asked for: one that came after everything before this pass. */
  xid: number | null
  /** The newest id that the outbox gave out, read after that snapshot. */
  newest: number
}

/** Rows and bytes that one pass takes at most: enough to work off a backlog, little enough to stay far below a second. */
const mostRows = 2_000
const mostBytes = 4_000_000

/** SQL: the newest id that was given out. A fresh sequence shows its first one before it is. */
export const newestOutboxId = '(select case when is_called then last_value else 0 end from outbox_id)'

/**
 * One statement, so that a crash leaves all of it or nothing: the oldest rows that nobody took yet become one batch
 * for each organization, with the next numbers of its log. Never "ids above the last one": transactions commit in
 * another order than their ids.
 */
const statement = `
  with oldest as materialized (
    select id, size, sum(size) over (order by id) as total
    from (
      select id, coalesce(octet_length(event), 0) + pg_column_size(header) + 100 as size
      from outbox where id > $1 order by id limit ${mostRows}
    ) as candidate
  ), taken as (
    delete from outbox where id = any (array(select id from oldest where total - size < ${mostBytes}))
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
  /** Rows above this outbox id. */
  floor: number
  part: number
  /** Wants a transaction id of its own; each costs the database one. */
  needsTransaction: boolean
}

export async function takeBatches(
  client: pg.ClientBase,
  { floor, part, needsTransaction }: PassOptions,
): Promise<Pass> {
  const values = [floor, part, needsTransaction]
  const { rows } = await client.query<Row>({ name: 'take', text: statement, values })
  const [first] = rows
  if (!first) throw new Error('the sequencing statement always returns a row')
  const { xmin, xid, newest, taken, seen, highest } = first
  const batches = rows.flatMap(({ organization_id, first_seq, last_seq, records }) =>
    organization_id === null ? [] : [{ organization_id, first_seq, last_seq, records } as Batch],
  )
  // Only the statement knows what it left: to take a pass for whole that was not would lose the rest for good.
  return { batches, taken, highest, isLimited: seen >= mostRows || taken < seen, xmin, xid, newest }
}

/** Organizations that one tick looks at: some milliseconds, however many there are. */
export const maxTicked = 500

/** Walks along the organizations that have queues: one look at an index for each, never at those without. */
const tickStatement = `
  with recursive queued (id) as (
    (select organization_id from event_queue where organization_id > $3 order by organization_id limit 1)
    union all
    select (
      select organization_id from event_queue where organization_id > queued.id order by organization_id limit 1
    ) from queued where queued.id is not null
  ), looked as materialized (
    select id from queued where id is not null limit ${maxTicked}
  ), quiet as (
    update event_head set last_seq = last_seq + 1, moved_at = now()
    where organization_id = any (array(select id from looked)) and moved_at < now() - $2 * interval '1 second'
    returning organization_id, last_seq
  ), written as (
    insert into event_batch (part, organization_id, first_seq, last_seq, records)
    select $1, organization_id, last_seq, last_seq, '[]' from quiet
    returning organization_id, first_seq, last_seq, records
  )
  select (select case when count(*) = ${maxTicked} then max(id) end from looked) as next, written.*
  from (select) as always left join written on true`

export interface TickOptions {
  part: number
  quietSeconds: number
  /** The organization at which the tick before ended; 0 for the first. */
  after: number
}

export interface Ticked {
  batches: Batch[]
  /** Where the next tick goes on; 0 where this one has reached the last organization. */
  next: number
}

type TickRow = { next: number | null } & { [Field in keyof Batch]: Batch[Field] | null }

/**
 * Where nothing happens, an empty batch moves the log on, so that a heartbeat's id does. It is never delivered. One tick
 * looks at a few organizations only, because the sequencer numbers nothing meanwhile.
 */
export async function tick(
  client: pg.ClientBase,
  { part, quietSeconds, after }: TickOptions,
): Promise<Ticked> {
  const values = [part, quietSeconds, after]
  const { rows } = await client.query<TickRow>({ name: 'tick', text: tickStatement, values })
  const batches = rows.flatMap(({ next: _, ...batch }) =>
    batch.organization_id === null ? [] : [batch as Batch],
  )
  return { batches, next: rows[0]?.next ?? 0 }
}
