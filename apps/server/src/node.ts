import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { buildApp, jobs } from './app.ts'
import { eventShapes } from './event-shapes.ts'
import { EventSystem } from './events/event-system.ts'
import { makeEventMetrics } from './events/metrics.ts'
import type { App } from './platform/app.ts'
import { finishBeforeClose } from './platform/before-close.ts'
import type { Config } from './platform/config/settings.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { prepareDatabase } from './platform/database/prepare.ts'
import { diskFiles } from './platform/files/disk-files.ts'
import { startJobs } from './platform/jobs.ts'
import { makeLog } from './platform/log.ts'
import { makeMarkdown } from './platform/markdown/markdown.ts'
import { makeMetrics } from './platform/metrics.ts'
import { SetupError } from './platform/operator-error.ts'
import { makePasswordHasher } from './platform/passwords.ts'
import { makeSecrets, readSecret } from './platform/secrets.ts'

export interface NodeOptions {
  logTo?: DestinationStream
  passwordCost?: 'strong' | 'cheap'
  /** Hold every answer against the contract; where it is not said, outside production. */
  checked?: boolean
  /** Jobs, by name, that this node leaves to others. */
  idleJobs?: readonly string[]
}

/** When another node dies, thousands of its clients come at once; whoever is not let in tries again seconds later. */
const backlog = 4_096
/** How long a node that stops waits for requests under way. */
const patience = 20_000

export interface OpenApp {
  app: App
  database: Database
  close(): Promise<void>
}

/** Everything an action needs, with the database ready to use; for a node and for commands alike. */
export async function openApp(config: Config, options: NodeOptions = {}): Promise<OpenApp> {
  const log = makeLog(config.log_level, options.logTo)
  const secrets = makeSecrets(readSecret(config))
  await prepareDatabase(config, secrets)
  const database = openDatabase(config, (err) => log.warn({ err }, 'a connection to PostgreSQL broke'))
  const { db } = database
  const metrics = makeMetrics(database.pool)
  const eventMetrics = makeEventMetrics(metrics.registry)
  const app: App = {
    config,
    db,
    log,
    secrets,
    passwords: makePasswordHasher(options.passwordCost),
    metrics,
    markdown: makeMarkdown(),
    files: diskFiles(config.files_dir ?? join(config.data_dir, 'files')),
    events: new EventSystem({ config, db, log, metrics: eventMetrics, shapes: eventShapes(secrets) }),
  }
  return { app, database, close: () => database.close() }
}

export interface Node {
  app: App
  url: string
  stop(): Promise<void>
}

/** Starts a node and returns once it answers. */
export async function startNode(config: Config, options: NodeOptions = {}): Promise<Node> {
  const { app, database, close } = await openApp(config, options)
  const readiness = { accepting: true }
  await app.events.start().catch(async (error) => {
    await app.events.stop()
    await close()
    throw error
  })
  const http = buildApp(app, { readiness, checked: options.checked ?? config.mode !== 'production' })
  try {
    await http.listen({ host: config.host, port: config.port, backlog })
  } catch (error) {
    await app.events.stop()
    await close()
    throw portProblem(config, error)
  }
  const { idleJobs = [] } = options
  const runner = startJobs(
    app,
    database.pool,
    jobs.filter(({ name }) => !idleJobs.includes(name)),
  )
  const { port } = http.server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  let stopped: Promise<void> | undefined
  const stop = async () => {
    readiness.accepting = false
    // A connection whose last request was answered would otherwise be waited for until its client leaves.
    const sweep = setInterval(() => {
      app.events.release()
      http.server.closeIdleConnections()
    }, 50)
    const giveUp = setTimeout(() => http.server.closeAllConnections(), patience)
    await http.close()
    clearInterval(sweep)
    clearTimeout(giveUp)
    await runner.stop()
    await finishBeforeClose(app)
    await app.events.stop()
    await close()
  }
  return { app, url: `http://${host}:${port}`, stop: () => (stopped ??= stop()) }
}

function portProblem({ host, port }: Config, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new SetupError(`Port ${port} of ${host} is in use. Choose another one with --port or OXBOW_PORT.`)
  }
  if (code === 'EACCES')
    return new SetupError(`Port ${port} is reserved for root. Choose one above 1023 with --port.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new SetupError(
      `This machine has no address ${host}. Use one of its own, or 0.0.0.0 for all: --host or OXBOW_HOST.`,
    )
  }
  return error
}
