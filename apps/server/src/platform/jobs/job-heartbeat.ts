import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from '../app.ts'

/** Interval at which a job runner reports that it is alive. */
const reportMs = 5_000
/** Jobs of a runner that has not reported for this long are run again by another runner. */
const lifetimeSeconds = 60
/**
 * A runner whose previous report is older than this was cut off from PostgreSQL. The other runners may have
 * been cut off too, so it does not regard them as dead.
 */
const maxGapSeconds = 15

const maxStopMs = 2_000

export interface JobHeartbeat {
  /** Waits for the first report: if the runner died before it, its jobs would not be released. */
  hasBegun(): Promise<void>
  /** Stops the reports. `isDone`: the runner has no job left. */
  stop(options: { isDone: boolean }): Promise<void>
}

/**
 * Reports that a job runner is alive, and releases the jobs of dead runners so that they run again:
 * graphile-worker alone would leave them locked for four hours. Runners of an earlier release do not report,
 * so their jobs are not released.
 */
export function startJobHeartbeat(app: App, runner: string): JobHeartbeat {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  const beat = async () => {
    while (!stopping.signal.aborted) {
      try {
        const isUninterrupted = await report(app, runner)
        first.resolve()
        if (isUninterrupted) await releaseJobsOfDeadRunners(app)
      } catch (err) {
        app.log.debug({ err }, 'a runner of jobs could not report that it lives')
      }
      await setTimeout(reportMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
    first.resolve()
  }
  const done = beat()
  return {
    hasBegun: () => first.promise,
    async stop({ isDone }) {
      stopping.abort()
      const ending = done.then(() => (isDone ? deleteReport(app, runner) : undefined)).catch(() => {})
      // The node must be able to stop while the database is unavailable.
      await Promise.race([ending, setTimeout(maxStopMs, undefined, { ref: false })])
    },
  }
}

/** Saves a report. Returns whether the previous report is recent. */
async function report({ db }: App, runner: string): Promise<boolean> {
  const { rows } = await sql<{ is_uninterrupted: boolean | null }>`
    with previous as materialized (select seen_at from job_runner where id = ${runner})
    insert into job_runner (id, seen_at) values (${runner}, clock_timestamp())
    on conflict (id) do update set seen_at = excluded.seen_at
    returning (
      select seen_at > clock_timestamp() - make_interval(secs => ${maxGapSeconds}) from previous
    ) as is_uninterrupted`.execute(db)
  return rows[0]?.is_uninterrupted === true
}

async function releaseJobsOfDeadRunners({ db, log }: App): Promise<void> {
  const { rows } = await sql<{ runners: string[] }>`
    with dead as (
      delete from job_runner where seen_at < clock_timestamp() - make_interval(secs => ${lifetimeSeconds})
      returning id
    ), named as materialized (select array_agg(id) as runners from dead having count(*) > 0)
    select runners, graphile_worker.force_unlock_workers(runners) from named`.execute(db)
  if (rows[0]) log.info({ runners: rows[0].runners }, 'jobs of nodes that died run again')
}

async function deleteReport({ db }: App, runner: string): Promise<void> {
  await sql`delete from job_runner where id = ${runner}`.execute(db)
}
