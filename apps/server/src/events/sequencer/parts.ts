import type pg from 'pg'
import { inSessionTransaction } from './session-transaction.ts'

/** Limits of the age and size of the log. */
export interface Retention {
  /** The log is kept this long even if no queue needs it. */
  minSeconds: number
  /** The log is never kept longer than this: the longest lifespan of any queue, plus the margin. */
  maxSeconds: number
  /** This margin is added to the longest lifespan of the existing queues. */
  marginSeconds: number
  maxBytes: number
}

/** The log is split into about this many parts (partitions), so that only little is dropped at once. */
const partsPerRetention = 24

interface Part {
  part: number
  /** Seconds since the part was begun. */
  age: number
  /** Seconds since the part was closed; null for the part being written. */
  ended: number | null
  bytes: number
}

/** Returns the part to write to: the newest one, or a new one if the newest is old or large enough. */
export async function currentPart(client: pg.ClientBase, retention: Retention): Promise<number> {
  const last = (await listParts(client)).at(-1)
  if (!last) return startPart(client, 1)
  const isFull =
    last.age > retention.maxSeconds / partsPerRetention || last.bytes > retention.maxBytes / partsPerRetention
  return isFull ? startPart(client, last.part + 1) : last.part
}

/**
 * Drops parts that no queue needs any more, and the oldest parts while the log is too large. Returns the
 * dropped parts. The log is kept for days only while a queue with a lifespan of days exists, because the log
 * also contains deleted texts.
 */
export async function dropOldParts(client: pg.ClientBase, retention: Retention): Promise<number[]> {
  const parts = await listParts(client)
  const seconds = await retentionSeconds(client, retention, parts)
  let total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const dropped: number[] = []
  for (const { part, ended, bytes } of parts) {
    if (ended === null || (ended <= seconds && total <= retention.maxBytes)) break
    if (!(await dropPart(client, part))) break
    dropped.push(part)
    total -= bytes
  }
  return dropped
}

async function retentionSeconds(
  client: pg.ClientBase,
  { minSeconds, maxSeconds, marginSeconds }: Retention,
  [oldest]: readonly Part[],
): Promise<number> {
  if (!oldest || (oldest.ended ?? 0) <= minSeconds) return minSeconds
  const { rows } = await client.query<{ longest: number | null }>(
    'select max(lifespan_seconds) as longest from event_queue',
  )
  return Math.min(Math.max(minSeconds, (rows[0]?.longest ?? 0) + marginSeconds), maxSeconds)
}

/** Returns the size of the whole log with its indexes, in bytes. */
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

/** Creates a part in its own transaction, and returns its number. */
async function startPart(client: pg.ClientBase, part: number): Promise<number> {
  await inSessionTransaction(client, () => createPart(client, part))
  return part
}

/**
 * Creates the table of a part and attaches it afterwards, because `create … partition of` would block all
 * readers of the log. Must run inside a transaction.
 */
async function createPart(client: pg.ClientBase, part: number): Promise<void> {
  const table = `event_batch_${part}`
  await client.query(`create table ${table} (like event_batch including all, check (part = ${part}))`)
  await client.query(`alter table event_batch attach partition ${table} for values in (${part})`)
  await client.query('update event_part set ended_at = now() where ended_at is null')
  await client.query('insert into event_part (part) values ($1)', [part])
}

/**
 * Returns the newest part, creating the first one if there is none. Must run inside the caller's
 * transaction.
 */
export async function ensurePart(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ part: number | null }>('select max(part) as part from event_part')
  const newest = rows[0]?.part
  if (typeof newest === 'number') return newest
  await createPart(client, 1)
  return 1
}

/**
 * Saves for every organization the number up to which its log is dropped, so that older cursors are refused,
 * and drops the table of the part. Returns false if the table is in use, for example by a long pg_dump; the
 * caller retries later.
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

/** Empties the log of a copied database. Must run inside the caller's transaction. */
export async function dropAllParts(client: pg.ClientBase): Promise<void> {
  const parts = await listParts(client)
  await client.query('delete from event_batch')
  for (const { part } of parts.slice(0, -1)) {
    await client.query(`drop table event_batch_${part}`)
    await client.query('delete from event_part where part = $1', [part])
  }
}
