import type { OrganizationId } from '@oxbow/contract'
import type pg from 'pg'
import type { Batch } from '../record.ts'
import { eventNumberJump, jumpIds } from './jump-ids.ts'
import { dropAllParts, ensurePart } from './parts.ts'
import { inSessionTransaction } from './session-transaction.ts'

/**
 * SQL: the WAL timeline, which changes when a standby is promoted or a cluster is recovered to a
 * point in time.
 */
const currentTimeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
const tableOid = "'event_log'::regclass::oid"

/**
 * SQL over `event_log`: false if numbers may have been lost and `checkLineage` has not turned them into holes
 * yet.
 */
export const isLineageIntact = `(
  timeline = ${currentTimeline} and table_oid is not distinct from ${tableOid}
  and server_started_at is not distinct from pg_postmaster_start_time())`

/** The log line for a new epoch. */
export const epochStartedMessage =
  'PostgreSQL was restarted, failed over or was put back to an older state: the numbers of the event log jump'

/** The last number of an organization's log that a node has seen. */
export interface FollowedPosition {
  organization_id: OrganizationId
  last_seq: number
}

/** SQL: identifies the cluster and the database in it, because a copy may be in the same cluster. */
const currentSystem = `(
  select system_identifier || '/' || (select oid from pg_database where datname = current_database())
  from pg_control_system())`

interface Findings {
  isStandby: boolean
  /** Whether the log was written in another database. */
  isCopy: boolean
  /**
   * Whether the newest commits may be lost: a standby was promoted, tables were restored, or a node has seen
   * higher numbers.
   */
  isRolledBack: boolean
  /** Whether PostgreSQL was restarted, possibly with an older copy of its files. */
  isRestarted: boolean
  /** Length of the period in which commits may have been lost. */
  lostSeconds: number
}

const findingsQuery = `
  select pg_is_in_recovery() as "isStandby", system_identifier <> ${currentSystem} as "isCopy",
    timeline <> case when not pg_is_in_recovery() then ${currentTimeline} end or table_oid <> ${tableOid} or exists (
      select from unnest($1::bigint[], $2::bigint[]) as seen (organization_id, last_seq)
      left join event_head on event_head.organization_id = seen.organization_id
      where seen.last_seq > coalesce(event_head.last_seq, 0)
    ) as "isRolledBack",
    server_started_at is distinct from pg_postmaster_start_time() or table_oid is null as "isRestarted",
    greatest(extract(epoch from now() - alive_at), 0)::float8 as "lostSeconds"
  from event_log`

/** Creates the `event_log` row if there is none, and returns the identity of the database. */
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
 * Checks that the log was written in this database and that no commit is missing. Otherwise starts a new
 * epoch of the log: all ids and event numbers jump, and the skipped numbers become holes. Every new session
 * calls this before it is used, so that nothing is written before ids have jumped. `followed` has the positions
 * of this node; a database with lower numbers was rolled back. Returns the holes, which the caller announces
 * as batches. Throws on a standby.
 */
export async function checkLineage(
  client: pg.ClientBase,
  followed: readonly FollowedPosition[] = [],
): Promise<Batch[]> {
  const readFindings = async (): Promise<Findings | undefined> => {
    const values = [
      followed.map(({ organization_id }) => organization_id),
      followed.map(({ last_seq }) => last_seq),
    ]
    return (await client.query<Findings>(findingsQuery, values)).rows[0]
  }
  const first = await readFindings()
  if (first?.isStandby) throw new StandbyError()
  if (!first) await ensureLog(client)
  if (!first || !(first.isCopy || first.isRolledBack || first.isRestarted)) return []
  return inSessionTransaction(client, async () => {
    // The lock is taken in a separate statement. A statement that waits for the lock still sees the old
    // `event_head`, so every session that waited for the jump of another session would jump again.
    await client.query('select from event_log for update')
    const found = await readFindings()
    if (!found) return []
    const holes = await startEpoch(client, found)
    await saveLineage(client)
    return holes
  })
}

/**
 * A session with a standby must be closed: after a promotion it could write without a lineage
 * check.
 */
class StandbyError extends Error {
  /** PostgreSQL's error code for writes on a standby. */
  readonly code = '25006'

  constructor() {
    super('PostgreSQL is a standby')
  }
}

async function startEpoch(client: pg.ClientBase, found: Omit<Findings, 'isStandby'>): Promise<Batch[]> {
  const { isCopy, isRolledBack, isRestarted, lostSeconds } = found
  if (isCopy || isRolledBack) await jumpIds(client, lostSeconds)
  if (isCopy) return resetCopiedLog(client, lostSeconds)
  return isRolledBack || isRestarted ? insertHoles(client, lostSeconds) : []
}

/**
 * Starts a new epoch unconditionally: for an operator who restored an older state in a way that cannot be
 * detected in the database. `since` is the time of that state. The default, the time at which the database
 * was last in use, is correct only if no node has used it since the restore.
 */
export async function startNewEpoch(client: pg.ClientBase, since?: Date): Promise<void> {
  await ensureLog(client)
  await inSessionTransaction(client, async () => {
    const { rows } = await client.query<Pick<Findings, 'isCopy' | 'lostSeconds'>>(
      `select system_identifier <> ${currentSystem} as "isCopy",
         greatest(extract(epoch from now() - least($1::timestamptz, alive_at)), 0)::float8 as "lostSeconds"
       from event_log for update`,
      [since ?? null],
    )
    const { isCopy = false, lostSeconds = 0 } = rows[0] ?? {}
    await startEpoch(client, { isCopy, isRolledBack: true, isRestarted: false, lostSeconds })
    await saveLineage(client)
  })
}

/**
 * Starts an epoch with an empty log and without queues, for a backup that the caller's transaction has just
 * loaded. `since` is the time of the backup.
 */
export async function startEpochOfBackup(client: pg.ClientBase, since: Date): Promise<void> {
  await ensureLog(client)
  const { rows } = await client.query<Pick<Findings, 'lostSeconds'>>(
    `select greatest(extract(epoch from now() - least($1::timestamptz, alive_at)), 0)::float8 as "lostSeconds"
     from event_log for update`,
    [since],
  )
  const { lostSeconds = 0 } = rows[0] ?? {}
  await startEpoch(client, { isCopy: true, isRolledBack: true, isRestarted: false, lostSeconds })
  await saveLineage(client)
}

async function saveLineage(client: pg.ClientBase): Promise<void> {
  await client.query(
    `update event_log set system_identifier = ${currentSystem}, timeline = ${currentTimeline},
       table_oid = ${tableOid}, server_started_at = pg_postmaster_start_time(), alive_at = now()`,
  )
}

/**
 * Saves that the database is in use now. Returns false if its lineage changed since this session
 * was checked.
 */
export async function saveAliveTime(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`update event_log set alive_at = now() where ${isLineageIntact}`)
  return rowCount === 1
}

/**
 * Turns numbers that may have been lost into holes. Clients with a cursor inside a hole must register again;
 * clients with an earlier cursor continue.
 */
async function insertHoles(client: pg.ClientBase, seconds: number): Promise<Batch[]> {
  await client.query(
    'insert into event_head (organization_id, last_seq) select id, 0 from organization on conflict do nothing',
  )
  // The rows are locked in the same order as by the sequencer, to avoid deadlocks.
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

/** Empties the log of a copied database, because no client has a queue there. */
async function resetCopiedLog(client: pg.ClientBase, seconds: number): Promise<Batch[]> {
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
