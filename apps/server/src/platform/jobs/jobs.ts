import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { App } from '../app.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { connectionOptions, type Tx } from '../database/database.ts'
import type { Log } from '../observe/log.ts'
import { FailureLog } from '../observe/log.ts'
import { traced } from '../observe/tracing/tracing.ts'
import { type JobHeartbeat, startJobHeartbeat } from './job-heartbeat.ts'
import { waitUntilJobsResume } from './jobs-hold.ts'

/**
 * Identifies a job for `enqueue`, so that callers need not import the feature that runs it. The job waits
 * until a node that can run it is started.
 */
export interface JobName<Payload> {
  readonly name: string
  /** Jobs of one queue run one after another, over all nodes. Jobs without a queue run at the same time. */
  readonly queue?: string
  readonly run?: (app: App, payload: Payload) => Promise<void>
}

/** One kind of background work. A job may run more than once per `enqueue`, so it must be idempotent. */
export interface Job<Payload> extends JobName<Payload> {
  readonly run: (app: App, payload: Payload) => Promise<void>
  /** A cron expression, for jobs that run periodically. */
  readonly schedule?: string
}

export function job<Payload>(declaration: Job<Payload>): Job<Payload> {
  return declaration
}

/**
 * Queue of jobs that may take minutes or hours. One of them runs at a time, so that they leave the other jobs, such
 * as e-mails, one of the two that a node runs at a time.
 */
export const longJobs = 'long'

/**
 * Queues a job in the transaction, so the job exists only if the transaction commits. The payload must not
 * contain secrets.
 */
export async function enqueue<Payload>(
  tx: Tx,
  { name, queue = '' }: JobName<Payload>,
  payload: Payload,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, nullif(${queue}, ''))`.execute(
    tx,
  )
}

/** Queues a job like `enqueue`, to run after this many seconds. */
export async function enqueueLater<Payload>(
  tx: Tx,
  { name, queue = '' }: JobName<Payload>,
  payload: Payload,
  delaySeconds: number,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, nullif(${queue}, ''),
      now() + make_interval(secs => ${delaySeconds}))`.execute(tx)
}

/** Queues many jobs with one statement. */
export async function enqueueAll<Payload>(
  tx: Tx,
  { name, queue = '' }: JobName<Payload>,
  payloads: readonly Payload[],
): Promise<void> {
  const texts = payloads.map((payload) => JSON.stringify(payload))
  await sql`
    select graphile_worker.add_job(${name}, payload::json, nullif(${queue}, ''))
    from unnest(${texts}::text[]) as payload`.execute(tx)
}

export async function migrateJobs(databaseUrl: string): Promise<void> {
  const pgPool = new pg.Pool({ ...connectionOptions(databaseUrl), max: 1 })
  // The query that uses the connection throws the same error.
  const ignore = () => {}
  pgPool.on('error', ignore)
  pgPool.on('connect', (client) => client.on('error', ignore))
  await runMigrations({ pgPool, logger: quiet }).finally(() => pgPool.end())
}

export interface JobRunner {
  stop(): Promise<void>
}

/**
 * Runs jobs queued by any node until stopped. Restarts after an outage of PostgreSQL. Jobs of a killed node
 * run again on another node after a minute. Waits while jobs are held.
 */
export function startJobs(app: App, pool: pg.Pool, jobs: readonly Job<never>[]): JobRunner {
  let heartbeat: JobHeartbeat | undefined
  const taskList: TaskList = Object.fromEntries(
    jobs.map((declared) => [
      declared.name,
      async (payload, { job }) => {
        await heartbeat?.hasBegun()
        await runLogged(app, declared, payload as never, job)
      },
    ]),
  )
  const failures = new FailureLog(app.log, {
    failed: 'background jobs stopped and will be restarted',
    recovered: 'background jobs run again',
  })
  const parsedCronItems = parseCronItems(
    jobs.flatMap(({ name, schedule }) => (schedule ? [{ task: name, match: schedule }] : [])),
  )
  const stopping = new AbortController()
  let runner: Runner | undefined

  const work = async () => {
    while (!stopping.signal.aborted) {
      await waitUntilJobsResume(app, stopping.signal)
      if (stopping.signal.aborted) return
      const events: WorkerEvents = new EventEmitter()
      events.once('pool:create', ({ workerPool }) => {
        heartbeat = startJobHeartbeat(app, workerPool.id)
      })
      let isDone = false
      try {
        runner = await run({
          pgPool: pool,
          events,
          taskList,
          parsedCronItems,
          concurrency: 2,
          noHandleSignals: true,
          logger: loggerFor(app.log),
          // With these settings the runner handles errors of the statements that end a job, and stops.
          // Without them it ignores the promises of these statements, and an outage at the end of a job
          // would end the process.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
        })
        failures.succeedsAfter(10_000)
        if (stopping.signal.aborted) await runner.stop()
        await runner.promise
        isDone = true
      } catch (err) {
        failures.failed(err)
      }
      await heartbeat?.stop({ isDone })
      await setTimeout(1_000, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await runner?.stop().catch(() => {})
      await done
    },
  }
}

/** Runs a job and logs its failure. The runner retries it with increasing delays. */
async function runLogged(
  app: App,
  { name, run }: Job<never>,
  payload: never,
  { attempts, max_attempts }: { attempts: number; max_attempts: number },
): Promise<void> {
  const begun = performance.now()
  const observe = (outcome: 'done' | 'failed') =>
    app.metrics.jobRuns.observe({ kind: name, outcome }, (performance.now() - begun) / 1000)
  try {
    const attributes = { 'oxbow.job.name': name, 'oxbow.job.attempt': attempts }
    await traced(app.tracing, { name: `job ${name}`, kind: 'consumer', attributes }, () => run(app, payload))
    observe('done')
  } catch (err) {
    observe('failed')
    app.metrics.jobFailures.inc()
    const isLast = attempts >= max_attempts
    const text = isLast ? 'a job failed and is given up' : 'a job failed and will be retried'
    app.log[isLast ? 'error' : 'warn']({ job: name, attempt: attempts, max_attempts, err }, text)
    throw err
  }
}

const quiet = new Logger(() => () => {})

/** A warning that the runner repeats is logged again after this time. */
const repeatAfterMs = 60_000

/**
 * Logs the runner's messages at debug level and its warnings as warnings, except those about failed jobs,
 * which `runLogged` logs.
 */
function loggerFor(log: Log): Logger {
  const warnedAt = new BoundedCache<string, number>(100)
  const isNew = (message: string): boolean => {
    const text = message.replace(/\d+/g, '')
    const now = performance.now()
    if (now - (warnedAt.get(text) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs) return false
    warnedAt.set(text, now)
    return true
  }
  return new Logger((scope) => (level, message) => {
    const isWarning = (level === 'error' || level === 'warning') && !message.startsWith('Failed task')
    log[isWarning && isNew(message) ? 'warn' : 'debug']({ job: scope.taskIdentifier }, message)
  })
}
