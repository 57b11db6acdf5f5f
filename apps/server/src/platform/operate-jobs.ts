import { sql } from 'kysely'
import type { Db } from './database/database.ts'
import { findJobsHold } from './jobs-hold.ts'

export interface WaitingJobs {
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

/** Removes waiting jobs of one kind without running them. Returns how many were removed. */
export async function dropJobs(db: Db, kind: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with waiting as (select id from graphile_worker.jobs where task_identifier = ${kind} and locked_at is null),
      dropped as (
        select completed.id from (select array_agg(id) as ids from waiting) as listed,
          graphile_worker.complete_jobs(coalesce(ids, '{}')) as completed
      )
    select count(*) as count from dropped`.execute(db)
  return Number(rows[0]?.count)
}
