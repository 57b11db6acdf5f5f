import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { findJobsHold } from '../platform/jobs/jobs-hold.ts'
import { OperatorError } from '../platform/operator-error.ts'

interface WaitingJobs {
  /** The name of the job, such as `mail_invitation`. */
  kind: string
  count: number
  /** Time at which the oldest job of this kind was queued. */
  queued_at: Date
}

export interface JobsStatus {
  /** Time since which background jobs are held; null if they run. */
  held_since: Date | null
  waiting: WaitingJobs[]
  /** Number of scheduled messages and reminders whose time has come. */
  due_messages: number
}

/** Counts the waiting background jobs, and reads whether they are held. */
export async function readJobsStatus(db: Db): Promise<JobsStatus> {
  const { rows: waiting } = await sql<WaitingJobs>`
    select task_identifier as kind, count(*) as count, min(created_at) as queued_at
    from graphile_worker.jobs where locked_at is null and attempts < max_attempts group by 1 order by 1`.execute(
    db,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from scheduled_message where failure is null and attempt_at <= now()`.execute(db)
  return {
    held_since: (await findJobsHold(db)) ?? null,
    waiting,
    due_messages: Number(rows[0]?.count),
  }
}

export interface ListedJob {
  id: string
  /** The name of the job, such as `mail_invitation`. */
  kind: string
  /** How often it has failed. */
  failures: number
  /** Time of the next attempt; null if the job failed too often and is not retried. */
  next_attempt: Date | null
  last_error: string | null
}

/** Lists jobs that wait or were given up, of one kind or all, those that failed first. */
export async function listJobs(db: Db, kind: string | undefined, limit: number): Promise<ListedJob[]> {
  const isOfKind = kind === undefined ? sql`true` : sql`task_identifier = ${kind}`
  const { rows } = await sql<ListedJob>`
    select id::text, task_identifier as kind, attempts as failures,
      case when attempts < max_attempts then run_at end as next_attempt, last_error
    from graphile_worker.jobs where locked_at is null and ${isOfKind}
    order by attempts = 0, task_identifier, id limit ${limit}`.execute(db)
  return rows
}

/** Lets jobs run at once, also those that were given up. Returns how many. See `findWaiting` for `named`. */
export async function retryJobs(db: Db, named: readonly string[]): Promise<number> {
  const ids = await findWaiting(db, named)
  const { rows } = await sql`
    select id from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`.execute(
    db,
  )
  return rows.length
}

/** Removes jobs without running them. Returns how many were removed. See `findWaiting` for `named`. */
export async function dropJobs(db: Db, named: readonly string[]): Promise<number> {
  const ids = await findWaiting(db, named)
  const { rows } = await sql`select id from graphile_worker.complete_jobs(${ids}::bigint[])`.execute(db)
  return rows.length
}

/**
 * Finds the ids of jobs by their ids or kinds. Throws if one of them names no job that waits or was given up:
 * a running job can be neither retried nor removed.
 */
async function findWaiting(db: Db, named: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: string }>`
    select id::text, task_identifier as kind from graphile_worker.jobs
    where locked_at is null and (id::text = any(${named}) or task_identifier = any(${named}))`.execute(db)
  const found = new Set(rows.flatMap(({ id, kind }) => [id, kind]))
  const missing = named.filter((name) => !found.has(name))
  if (missing.length > 0)
    throw new OperatorError(
      `No job with this id or kind is waiting: ${missing.join(', ')}. \`oxbow jobs list\` lists the waiting jobs.`,
    )
  return rows.map(({ id }) => id)
}
