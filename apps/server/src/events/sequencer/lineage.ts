import type pg from 'pg'
import type { Batch } from '../record.ts'
import { dropAllParts } from './parts.ts'
import { inSessionTransaction } from './session-transaction.ts'

/** More numbers than any database can lose in a failover. */
const jump = 1_000_000

/** SQL: what changes when a standby takes over. */
export const currentTimeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

export interface Lineage {
  /** Of the cluster, and of the database in it. */
  system_identifier: string
  timeline: string
}

/**
 * Whether this database is the one the log was written in. After a failover to a standby, the newest commits may be
 * gone, and their numbers with them: the numbers jump, and what lies in between is a hole that no cursor survives. A
 * copy of the database elsewhere begins with an empty log, because nobody has a queue there.
 * Returns the holes, to be announced as batches.
 */
export async function checkLineage(client: pg.ClientBase, part: number): Promise<Batch[]> {
  const now = await ensureLog(client)
  return inSessionTransaction(client, async () => {
    const { rows } = await client.query<Lineage>(
      'select system_identifier, timeline from event_log for update',
    )
    const holes = await followLineage(client, rows[0] as Lineage, now, part)
    await client.query('update event_log set system_identifier = $1, timeline = $2', [
      now.system_identifier,
      now.timeline,
    ])
    return holes
  })
}

async function followLineage(
  client: pg.ClientBase,
  known: Lineage,
  now: Lineage,
  part: number,
): Promise<Batch[]> {
  if (known.system_identifier !== now.system_identifier) return beginAnew(client)
  return known.timeline === now.timeline ? [] : leaveHoles(client, part)
}

/** Where the database has no log yet, it begins here. */
export async function ensureLog(client: pg.ClientBase): Promise<Lineage> {
  const now = await readLineage(client)
  await client.query(
    'insert into event_log (system_identifier, timeline) values ($1, $2) on conflict do nothing',
    [now.system_identifier, now.timeline],
  )
  return now
}

/** A copy in the same cluster is another database too. */
async function readLineage(client: pg.ClientBase): Promise<Lineage> {
  const { rows } = await client.query<Lineage>(`
    select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as system_identifier,
      ${currentTimeline} as timeline
    from pg_control_system()`)
  return rows[0] as Lineage
}

async function leaveHoles(client: pg.ClientBase, part: number): Promise<Batch[]> {
  await client.query(
    'insert into event_head (organization_id, last_seq) select id, 0 from organization on conflict do nothing',
  )
  const { rows } = await client.query<Batch>(
    `with jumped as (
       update event_head set last_seq = last_seq + ${jump}, moved_at = now() returning organization_id, last_seq
     )
     insert into event_batch (part, organization_id, first_seq, last_seq, records)
     select $1, organization_id, last_seq - ${jump} + 1, last_seq, null from jumped
     returning organization_id, first_seq, last_seq, records`,
    [part],
  )
  return rows
}

async function beginAnew(client: pg.ClientBase): Promise<Batch[]> {
  await client.query('delete from event_queue')
  await client.query('delete from outbox')
  await dropAllParts(client)
  await client.query(
    `update event_head set last_seq = last_seq + ${jump}, dropped_seq = last_seq + ${jump}, moved_at = now()`,
  )
  await client.query('update event_log set id = gen_random_uuid(), outbox_floor = 0')
  return []
}
