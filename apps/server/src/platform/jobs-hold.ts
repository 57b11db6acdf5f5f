import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from './app.ts'
import type { Db } from './database/database.ts'

/** Interval at which a node checks whether jobs were resumed. */
const checkMs = 1_000

/** SQL: whether background work waits for `oxbow jobs resume`, as after a restored backup. */
export const areJobsHeld = sql<boolean>`exists (select from server where jobs_held_since is not null)`

/** Returns since when background work is held; undefined if it runs. */
export async function findJobsHold(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date | null }>`select jobs_held_since as since from server`.execute(db)
  return rows[0]?.since ?? undefined
}

/** Lets background work run again. Running nodes begin within seconds. Returns whether it was held. */
export async function resumeJobs(db: Db): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update server set jobs_held_since = null where jobs_held_since is not null`.execute(db)
  return numAffectedRows !== undefined && numAffectedRows > 0n
}

/**
 * Waits while background work is held, or until `signal` aborts. Also waits while PostgreSQL cannot be asked, because
 * work that began by mistake could not be undone.
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
