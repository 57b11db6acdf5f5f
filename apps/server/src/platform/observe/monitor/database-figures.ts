import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'

export interface WaitingJobsFigure {
  kind: string
  /** Number of jobs that are due and not running. */
  waiting: number
  /** Number of jobs that failed at least once and will be retried. */
  retrying: number
  /** Seconds since the newest job that will be retried was queued; 0 if there is none. */
  newest_retrying_seconds: number
  /** Number of jobs that failed too often and are not retried. */
  given_up: number
  /** Seconds since the oldest waiting job was due, without jobs that wait for another one of their queue. */
  oldest_seconds: number
}

/** Figures about the whole installation, which any node can read. */
export interface DatabaseFigures {
  is_standby: boolean
  are_jobs_held: boolean
  jobs: readonly WaitingJobsFigure[]
  /** Number of scheduled messages whose time has come. */
  due_messages: number
  /** Seconds since the time of the oldest due message; 0 if none is due. */
  due_seconds: number
  /** Time of the last complete backup in seconds since 1970; null if there was none. */
  backed_up_at: number | null
  standbys: number
  /** How far the slowest standby is behind; null if there is none, or if the role may not see it. */
  standby_lag_seconds: number | null
  standby_lag_bytes: number | null
}

/** SQL: whether a job has failed and will be retried. The number of attempts includes one that runs. */
const isRetried = sql<boolean>`last_error is not null and attempts < max_attempts`

/** SQL: whether a job is due and no runner has it. */
const isWaiting = sql<boolean>`attempts < max_attempts and locked_at is null and run_at <= now()`

/** SQL: whether another job of the same queue runs, for which the job has to wait. */
const isBehindAnother = sql<boolean>`queue_name in (
  select queue_name from graphile_worker._private_job_queues where locked_at is not null)`

/** Reads all figures with one statement. */
export async function readDatabaseFigures(db: Db): Promise<DatabaseFigures> {
  const { rows } = await sql<DatabaseFigures>`
    select pg_is_in_recovery() as is_standby,
      coalesce((select jobs_held_since is not null from server), false) as are_jobs_held,
      (select extract(epoch from backed_up_at)::float8 from server) as backed_up_at,
      coalesce((select json_agg(counted) from (
        select task_identifier as kind,
          count(*) filter (where ${isWaiting}) as waiting,
          count(*) filter (where ${isRetried}) as retrying,
          coalesce(extract(epoch from now() - max(created_at) filter (where ${isRetried})), 0)
            as newest_retrying_seconds,
          count(*) filter (where attempts >= max_attempts) as given_up,
          coalesce(extract(epoch from now() - min(run_at)
            filter (where ${isWaiting} and (${isBehindAnother}) is not true)), 0) as oldest_seconds
        from graphile_worker.jobs group by 1) as counted), '[]') as jobs,
      scheduled.*, standby.*
    from (
      select count(*)::int as due_messages,
        coalesce(extract(epoch from now() - min(attempt_at)), 0)::float8 as due_seconds
      from scheduled_message where failure is null and attempt_at <= now()) as scheduled, (
      select count(*)::int as standbys, extract(epoch from max(replay_lag))::float8 as standby_lag_seconds,
        max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 as standby_lag_bytes
      from pg_stat_replication where state is distinct from 'backup' and not pg_is_in_recovery()) as standby`.execute(
    db,
  )
  return rows[0] as DatabaseFigures
}
