import { setTimeout } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { App } from './app.ts'
import { connectionOptions, type Tx } from './database/database.ts'
import type { Log } from './log.ts'

/** What whoever queues a job needs to know of it. Who runs it may stand further right, or not be there yet: then it waits. */
export interface JobName<Payload> {
  readonly name: string
  readonly run?: (app: App, payload: Payload) => Promise<void>
}

/** One kind of background work. It may run more than once, so it must bear that. */
export interface Job<Payload> extends JobName<Payload> {
  readonly run: (app: App, payload: Payload) => Promise<void>
  /** When it runs by itself, in cron's notation. */
  readonly schedule?: string
}

export function job<Payload>(declaration: Job<Payload>): Job<Payload> {
  return declaration
}

/** Queued with the transaction: if that does not commit, there is no job. */
export async function enqueue<Payload>(tx: Tx, { name }: JobName<Payload>, payload: Payload): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)`.execute(tx)
}

/** Many at once, by one statement. */
export async function enqueueAll<Payload>(
  tx: Tx,
  { name }: JobName<Payload>,
  payloads: readonly Payload[],
): Promise<void> {
  const texts = payloads.map((payload) => JSON.stringify(payload))
  await sql`
    select graphile_worker.add_job(${name}, payload::json) from unnest(${texts}::text[]) as payload`.execute(
    tx,
  )
}

export async function migrateJobs(databaseUrl: string): Promise<void> {
  const pgPool = new pg.Pool({ ...connectionOptions(databaseUrl), max: 1 })
  // Whatever breaks is raised by what uses the connection.
  const ignore = () => {}
  pgPool.on('error', ignore)
  pgPool.on('connect', (client) => client.on('error', ignore))
  await runMigrations({ pgPool, logger: quiet }).finally(() => pgPool.end())
}

export interface JobRunner {
  stop(): Promise<void>
}

/** Works on jobs of any node. When PostgreSQL goes away it begins again, until it is stopped. */
export function startJobs(app: App, pool: pg.Pool, jobs: readonly Job<never>[]): JobRunner {
  const taskList: TaskList = Object.fromEntries(
    jobs.map((each) => [each.name, (payload: unknown) => each.run(app, payload as never)]),
  )
  const parsedCronItems = parseCronItems(
    jobs.flatMap(({ name, schedule }) => (schedule ? [{ task: name, match: schedule }] : [])),
  )
  const stopping = new AbortController()
  let runner: Runner | undefined

  const work = async () => {
    while (!stopping.signal.aborted) {
      try {
        runner = await run({
          pgPool: pool,
          taskList,
          parsedCronItems,
          concurrency: 2,
          noHandleSignals: true,
          logger: loggerFor(app.log),
        })
        if (stopping.signal.aborted) await runner.stop()
        await runner.promise
      } catch (err) {
        app.log.warn({ err }, 'background jobs stopped and will begin again')
      }
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

const quiet = new Logger(() => () => {})

/** Its own chatter is for debugging; what it warns of is worth knowing. */
function loggerFor(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const chosen = level === 'error' || level === 'warning' ? 'warn' : 'debug'
    log[chosen]({ job: scope.taskIdentifier }, message)
  })
}
