import type { OrganizationId } from '@oxbow/contract'
import type pg from 'pg'
import type { Batch } from '../record.ts'
import { eventNumberJump, jumpIds } from './jump-ids.ts'
import { dropAllParts, ensurePart } from './parts.ts'
import { inSessionTransaction } from './session-transaction.ts'

/** SQL: what changes when a standby takes over, or when a cluster is recovered to a point in time. */
const currentTimeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
const tableOid = "'event_log'::regclass::oid"

/** SQL over `event_log`: false where numbers may have been lost, until `checkLineage` has left holes in their place. */
export const isOwnLog = `(
  timeline = ${currentTimeline} and table_oid is not distinct from ${tableOid}
  and server_started_at is not distinct from pg_postmaster_start_time())`

/** Logged where holes were left. */
export const stretchStarted =
  'PostgreSQL was restarted, failed over or was put back to an older state: the numbers of the event log jump'

/** How far a node has followed the log of an organization. */
export interface Seen {
  organization_id: OrganizationId
  last_seq: number
}

/** SQL: of the cluster, and of the database in it: a copy in the same cluster is another database too. */
const currentSystem = `(
  select system_identifier || '/' || (select oid from pg_database where datname = current_database())
  from pg_control_system())`

interface Findings {
  isStandby: boolean
  /** The log was written in another database. */
  isCopy: boolean
  /** The newest commits may be gone: a standby took over, tables were restored, or a node has seen more than there is. */
  isRolledBack: boolean
  /** PostgreSQL was started since, maybe with an older copy of its files. */
  isRestarted: boolean
  /** Seconds in which something may have been written that is gone. */
  age: number
}

const findings = `
  select pg_is_in_recovery() as "isStandby", system_identifier <> ${currentSystem} as "isCopy",
    timeline <> case when not pg_is_in_recovery() then ${currentTimeline} end or table_oid <> ${tableOid} or exists (
      select from unnest($1::bigint[], $2::bigint[]) as seen (organization_id, last_seq)
      left join event_head on event_head.organization_id = seen.organization_id
      where seen.last_seq > coalesce(event_head.last_seq, 0)
    ) as "isRolledBack",
    server_started_at is distinct from pg_postmaster_start_time() or table_oid is null as "isRestarted",
    greatest(extract(epoch from now() - alive_at), 0)::float8 as age
  from event_log`

/** Returns how the database identifies itself, and begins the log where there is none yet. */
export async function ensureLog(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ system: string }>(`select ${currentSystem} as system`)
  const system = rows[0]?.system ?? ''
  await client.query(
    `insert into event_log (system_identifier, timeline, table_oid, server_started_at)
     values ($1, ${currentTimeline}, ${tableOid}, pg_postmaster_start_time()) on conflict do nothing`,
    [system],
  )
  return system
}

/**
 * Looks whether this database is the one that the log was written in, with all that was committed to it, and starts a
 * new stretch of the log where it may not be. Every new session looks before it is used, so nothing is written before ids
 * have jumped. `seen` is what this node remembers: a database that has less was rolled back.
 * Returns the holes, to be announced as batches.
 */
export async function checkLineage(client: pg.ClientBase, seen: readonly Seen[] = []): Promise<Batch[]> {
  const look = async (): Promise<Findings | undefined> => {
    const values = [seen.map(({ organization_id }) => organization_id), seen.map(({ last_seq }) => last_seq)]
    return (await client.query<Findings>(findings, values)).rows[0]
  }
  const first = await look()
  if (first?.isStandby) throw new StandbyError()
  if (!first) await ensureLog(client)
  if (!first || !(first.isCopy || first.isRolledBack || first.isRestarted)) return []
  return inSessionTransaction(client, async () => {
    // Locked by a statement of its own: a statement that waits for the lock goes on seeing the old `event_head`, so
    // every session that waited for another one's jump would jump again.
    await client.query('select from event_log for update')
    const found = await look()
    if (!found) return []
    const holes = await startStretch(client, found)
    await noteLineage(client)
    return holes
  })
}

/** A session with a standby must not be kept: it could be written to unchecked once the standby takes over. */
class StandbyError extends Error {
  /** As PostgreSQL refuses to write there. */
  readonly code = '25006'

  constructor() {
    super('PostgreSQL is a standby')
  }
}

async function startStretch(client: pg.ClientBase, found: Omit<Findings, 'isStandby'>): Promise<Batch[]> {
  const { isCopy, isRolledBack, isRestarted, age } = found
  if (isCopy || isRolledBack) await jumpIds(client, age)
  if (isCopy) return beginAnew(client, age)
  return isRolledBack || isRestarted ? leaveHoles(client, age) : []
}

/**
 * Starts a new stretch of the log and lets all ids jump, whatever the database looks like: for an operator who put an older
 * state back in a way that nothing in it shows. `since` is the time of that state; without it, the time when the
 * database was last in use, which only tells as long as no node has used it again.
 */
export async function startNewStretch(client: pg.ClientBase, since?: Date): Promise<void> {
  await ensureLog(client)
  await inSessionTransaction(client, async () => {
    const { rows } = await client.query<Pick<Findings, 'isCopy' | 'age'>>(
      `select system_identifier <> ${currentSystem} as "isCopy",
         greatest(extract(epoch from now() - least($1::timestamptz, alive_at)), 0)::float8 as age
       from event_log for update`,
      [since ?? null],
    )
    const { isCopy = false, age = 0 } = rows[0] ?? {}
    await startStretch(client, { isCopy, isRolledBack: true, isRestarted: false, age })
    await noteLineage(client)
  })
}

async function noteLineage(client: pg.ClientBase): Promise<void> {
  await client.query(
    `update event_log set system_identifier = ${currentSystem}, timeline = ${currentTimeline},
       table_oid = ${tableOid}, server_started_at = pg_postmaster_start_time(), alive_at = now()`,
  )
}

/** Notes that the database is in use. False where it is no longer the one that this session found. */
export async function noteAlive(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`update event_log set alive_at = now() where ${isOwnLog}`)
  return rowCount === 1
}

/** Numbers that may have been lost become a hole that no cursor survives; cursors before it go on. */
async function leaveHoles(client: pg.ClientBase, seconds: number): Promise<Batch[]> {
  await client.query(
    'insert into event_head (organization_id, last_seq) select id, 0 from organization on conflict do nothing',
  )
  // In the order in which the sequencer takes them.
  await client.query('select from event_head order by organization_id for update')
  const { rows } = await client.query<Batch>(
    `with jumped as (
       update event_head set last_seq = last_seq + $2, moved_at = now() returning organization_id, last_seq
     )
     insert into event_batch (part, organization_id, first_seq, last_seq, records)
     select $1, organization_id, last_seq - $2 + 1, last_seq, null from jumped
     returning organization_id, first_seq, last_seq, records`,
    [await ensurePart(client), eventNumberJump(seconds)],
  )
  return rows
}

/** A copy of the database elsewhere begins with an empty log, because nobody has a queue there. */
async function beginAnew(client: pg.ClientBase, seconds: number): Promise<Batch[]> {
  await client.query('delete from event_queue')
  await client.query('delete from outbox')
  await dropAllParts(client)
  await client.query(
    'update event_head set last_seq = last_seq + $1, dropped_seq = last_seq + $1, moved_at = now()',
    [eventNumberJump(seconds)],
  )
  await client.query('update event_log set id = gen_random_uuid(), outbox_floor = 0')
  return []
}
