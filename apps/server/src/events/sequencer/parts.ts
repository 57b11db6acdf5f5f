import type pg from 'pg'
import { inSessionTransaction } from './session-transaction.ts'

/** How long and how large the log may become. */
export interface Retention {
  /** Kept whether or not a queue needs it. */
  minSeconds: number
  /** The longest that any queue may need it. */
  maxSeconds: number
  /** Seconds that it is kept beyond the lifespan of the queues there are. */
  margin: number
  bytes: number
}

/** A part holds this share of either, so that what is dropped at once is little. */
const share = 24

interface Part {
  part: number
  age: number
  /** Seconds since the next one began; null for the one being written. */
  ended: number | null
  bytes: number
}

/** The part to write to: the last one, or a new one when it is old or large enough. */
export async function currentPart(client: pg.ClientBase, retention: Retention): Promise<number> {
  const last = (await listParts(client)).at(-1)
  if (!last) return beginPart(client, 1)
  const isFull = last.age > retention.maxSeconds / share || last.bytes > retention.bytes / share
  return isFull ? beginPart(client, last.part + 1) : last.part
}

/**
 * Drops what is older than any queue needs it, or the oldest while there is too much. A client may ask for a queue that
 * lives for days; only while one exists is the log kept for days, because it also holds text that was deleted meanwhile.
 */
export async function dropOldParts(client: pg.ClientBase, retention: Retention): Promise<number[]> {
  const parts = await listParts(client)
  const seconds = await neededSeconds(client, retention, parts)
  let total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const dropped: number[] = []
  for (const { part, ended, bytes } of parts) {
    if (ended === null || (ended <= seconds && total <= retention.bytes)) break
    if (!(await dropPart(client, part))) break
    dropped.push(part)
    total -= bytes
  }
  return dropped
}

async function neededSeconds(
  client: pg.ClientBase,
  { minSeconds, maxSeconds, margin }: Retention,
  [oldest]: readonly Part[],
): Promise<number> {
  if (!oldest || (oldest.ended ?? 0) <= minSeconds) return minSeconds
  const { rows } = await client.query<{ longest: number | null }>(
    'select max(lifespan_seconds) as longest from event_queue',
  )
  return Math.min(Math.max(minSeconds, (rows[0]?.longest ?? 0) + margin), maxSeconds)
}

/** The size of the whole log, with its indexes. */
export async function readLogBytes(client: pg.ClientBase): Promise<number> {
  return (await listParts(client)).reduce((sum, { bytes }) => sum + bytes, 0)
}

async function listParts(client: pg.ClientBase): Promise<Part[]> {
  const { rows } = await client.query<Part>(`
    select part, extract(epoch from now() - began_at)::float8 as age, extract(epoch from now() - ended_at)::float8 as ended,
      coalesce(pg_total_relation_size(to_regclass('event_batch_' || part)), 0) as bytes
    from event_part order by part`)
  return rows
}

/** Attached rather than created in place: that would wait for, and hold up, everyone who reads the log. */
async function beginPart(client: pg.ClientBase, part: number): Promise<number> {
  await inSessionTransaction(client, () => createPart(client, part))
  return part
}

async function createPart(client: pg.ClientBase, part: number): Promise<void> {
  const table = `event_batch_${part}`
  await client.query(`create table ${table} (like event_batch including all, check (part = ${part}))`)
  await client.query(`alter table event_batch attach partition ${table} for values in (${part})`)
  await client.query('update event_part set ended_at = now() where ended_at is null')
  await client.query('insert into event_part (part) values ($1)', [part])
}

/** Returns the newest part, or a new one where there is none; inside the caller's transaction. */
export async function ensurePart(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ part: number | null }>('select max(part) as part from event_part')
  const newest = rows[0]?.part
  if (typeof newest === 'number') return newest
  await createPart(client, 1)
  return 1
}

/**
 * First every organization learns up to where its log is gone, so that a cursor before that is known to be dead.
 * Dropping needs the table for itself: while someone reads it, like a long pg_dump, it is tried again later.
 */
async function dropPart(client: pg.ClientBase, part: number): Promise<boolean> {
  try {
    await inSessionTransaction(client, async () => {
      await client.query("set local lock_timeout = '50ms'")
      await client.query(
        `update event_head set dropped_seq = greatest(dropped_seq, gone.last_seq)
         from (select organization_id, max(last_seq) as last_seq from event_batch where part = $1 group by 1) as gone
         where gone.organization_id = event_head.organization_id`,
        [part],
      )
      await client.query(`drop table event_batch_${part}`)
      await client.query('delete from event_part where part = $1', [part])
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

/** For a copy of the database that begins anew; inside the caller's transaction. */
export async function dropAllParts(client: pg.ClientBase): Promise<void> {
  const parts = await listParts(client)
  await client.query('delete from event_batch')
  for (const { part } of parts.slice(0, -1)) {
    await client.query(`drop table event_batch_${part}`)
    await client.query('delete from event_part where part = $1', [part])
  }
}
