import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from '../app.ts'
import type { Db } from '../database/database.ts'

/** Interval at which a node checks whether jobs were resumed. */
const checkMs = 1_000

/** SQL: whether background jobs are held until `oxbow jobs resume`, as after a backup was restored. */
export const areJobsHeld = sql<boolean>`exists (select from server where jobs_held_since is not null)`

/** Returns the time since which background jobs are held; undefined if they run. */
export async function findJobsHold(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date | null }>`select jobs_held_since as since from server`.execute(db)
  return rows[0]?.since ?? undefined
}

/** Lets background jobs run again; running nodes begin within seconds. Returns whether they were held. */
export async function resumeJobs(db: Db): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update server set jobs_held_since = null where jobs_held_since is not null`.execute(db)
  return numAffectedRows !== undefined && numAffectedRows > 0n
}

/**
 * Waits while background jobs are held, or until `signal` aborts. Also waits while PostgreSQL is unavailable,
 * because jobs that were run by mistake could not be undone.
 */
export async function waitUntilJobsResume({ db, log }: Pick<App, 'db' | 'log'>, signal: AbortSignal) {
  let isReported = false
  while (!signal.aborted) {
    const isHeld = await findJobsHold(db).then(
      (since) => since !== undefined,
      () => undefined,
    )
    if (isHeld === false) return
    if (isHeld && !isReported) {
      isReported = true
      log.warn(
        'background jobs are held, because a backup was restored; run `oxbow jobs resume` to start them',
      )
    }
    await setTimeout(checkMs, undefined, { signal }).catch(() => {})
  }
}
