import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import { buildApp, jobs } from './app.ts'
import { EventSystem } from './events/event-system.ts'
import { makeEventMetrics } from './events/metrics.ts'
import { checkLineage, epochStartedMessage } from './events/sequencer/lineage.ts'
import type { Work } from './feature.ts'
import { backgroundMigrations, eventShapes, features } from './features.ts'
import type { App } from './platform/app.ts'
import type { Config } from './platform/config/settings.ts'
import { keepFunctions } from './platform/database/apply-functions.ts'
import type { BackgroundMigration } from './platform/database/background/background-migration.ts'
import { startBackgroundMigrations } from './platform/database/background/run-background.ts'
import { findIndexProblems } from './platform/database/check-indexes.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { ensureDatabase } from './platform/database/migrate.ts'
import { prepareDatabase } from './platform/database/prepare.ts'
import { refuseTooManyProcesses } from './platform/database/refuse-too-many-processes.ts'
import { waitForDatabase } from './platform/database/wait-for-database.ts'
import { type MeasuredFiles, measureFiles } from './platform/files/measured-files.ts'
import { openFileStore, tryFileStore } from './platform/files/open-file-store.ts'
import { trackUnusedConnections, type UnusedConnections } from './platform/http/connections.ts'
import { startMetricsServer } from './platform/http/metrics-server.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { checkMailServer } from './platform/mail/check-mail-server.ts'
import { isMailWithoutUrl, missingExternalUrlMessage } from './platform/mail/mail.ts'
import { makeMarkdown } from './platform/markdown/markdown.ts'
import { FailureLog, type Log, makeLog } from './platform/observe/log.ts'
import { makeMetrics } from './platform/observe/metrics.ts'
import { publishMonitor } from './platform/observe/monitor/monitor-metrics.ts'
import { NodeMonitor } from './platform/observe/monitor/node-monitor.ts'
import { openTracing } from './platform/observe/tracing/open-tracing.ts'
import { SetupError } from './platform/operator-error.ts'
import { Outbound } from './platform/outbound/outbound.ts'
import type { ResolveHost } from './platform/outbound/resolve-host.ts'
import type { Peers } from './platform/peers.ts'
import { measureNodeState, NodeState } from './platform/per-node.ts'
import { makePasswordHasher } from './platform/secrets/passwords.ts'
import { readSecrets } from './platform/secrets/secrets.ts'
import { watchSecret } from './platform/secrets/watch-secret.ts'
import { stopStep } from './platform/stop-step.ts'

export interface NodeOptions {
  logTo?: DestinationStream
  passwordCost?: 'strong' | 'cheap'
  /** Checks every response against the contract; by default outside production. */
  checked?: boolean
  /** Names of jobs that this node does not run. */
  idleJobs?: readonly string[]
  /** Background migrations to run; tests add their own. */
  backgroundMigrations?: readonly BackgroundMigration[]
  /** Interval at which the node checks whether the secret was changed; tests shorten it. */
  secretReportMs?: number
  /** Interval at which the node observes itself for metrics and the status page; tests shorten it. */
  monitorMs?: number | undefined
  /**
   * Timeout of waits for a PostgreSQL connection, of idle transactions and of silent connections;
   * five seconds by default. Tests set it higher, because their machine may be busy with other
   * tests.
   */
  databaseTimeoutMs?: number | undefined
  /**
   * Maximum time of a statement that depends on the request, like a search; two seconds by default.
   * Tests set it higher.
   */
  adHocTimeoutMs?: number | undefined
  /** Maximum time to wait at the start until PostgreSQL can be reached; 0 by default. */
  waitForDatabaseMs?: number
  /**
   * Milliseconds after which a connection is closed if the client does not read its response; a
   * minute by default.
   */
  stallMs?: number
  /** Resolves the host names of outbound requests; by default with the machine's name servers. */
  resolveHost?: ResolveHost | undefined
  /** The other processes that serve the same port. */
  peers?: Peers | undefined
}

/**
 * Maximum number of connections that wait to be accepted. Thousands of clients reconnect at once
 * when another node dies.
 */
const backlog = 4_096
/** Maximum time for which a stopping node waits for open requests. */
const maxStopMs = 20_000

export interface OpenApp {
  app: App
  files: MeasuredFiles
  database: Database
  /** Closes the database, and sends the last traces. */
  close(): Promise<void>
}

interface OpenOptions extends NodeOptions {
  /**
   * Whether the work is traced if the operator has set `otlp_endpoint`. Nodes are traced, commands
   * are not.
   */
  isTraced?: boolean
}

/** Migrates the database and opens everything that actions need. Nodes and commands call it. */
export async function openApp(config: Config, options: OpenOptions = {}): Promise<OpenApp> {
  const log = makeLog(config, options.logTo)
  await using opened = new AsyncDisposableStack()
  const tracing = options.isTraced ? await openTracing(config, log) : undefined
  opened.defer(stopStep(log, 'the last traces', () => tracing?.stop()))
  useOwnIntegrations(config)
  const secrets = readSecrets(config)
  await reachDatabase(config, options, log)
  const { peers, databaseTimeoutMs, adHocTimeoutMs } = options
  const connectionsWarning = peers && (await refuseTooManyProcesses(config, peers.count))
  if (connectionsWarning && peers?.number === 1) log.warn(connectionsWarning)
  await prepareDatabase(config, secrets, (message) => log.warn(message))
  const failures = new FailureLog(log, {
    failed: 'a connection to PostgreSQL broke',
    recovered: 'connections to PostgreSQL work again',
  })
  let events: EventSystem | undefined
  const database = openDatabase(config, (err) => failures.failed(err), {
    check: async (client) => {
      const holes = await checkLineage(client, events?.log.followedPositions())
      if (holes.length === 0) return
      log.warn(epochStartedMessage)
      // This node must not deliver events that the database has lost.
      events?.log.receive(holes)
    },
    Client: tracing?.DatabaseClient,
    databaseTimeoutMs,
    adHocTimeoutMs,
  })
  opened.defer(stopStep(log, 'PostgreSQL', () => database.close()))
  database.pool.on('connect', () => failures.succeedsAfter(5_000))
  const { db, reads, connections } = database
  const metrics = makeMetrics(connections, peers)
  connections.onWait((use, seconds) => metrics.databaseWaits.observe({ use }, seconds))
  const eventMetrics = makeEventMetrics(metrics.registry)
  events = new EventSystem({
    config,
    db,
    log,
    metrics: eventMetrics,
    shapes: eventShapes({ config, secrets }),
    hash: secrets.hash,
    databaseTimeoutMs,
  })
  const state = new NodeState()
  measureNodeState(state, metrics)
  const files = measureFiles(openFileStore(config), metrics, tracing)
  const app: App = {
    config,
    db,
    reads,
    log,
    secrets,
    passwords: makePasswordHasher(options.passwordCost),
    metrics,
    markdown: makeMarkdown(),
    files,
    outbound: new Outbound(config, {
      resolveHost: options.resolveHost,
      countOutcome: (outcome) => metrics.outboundRequests.inc({ outcome }),
      tracing,
    }),
    state,
    events,
    peers,
    tracing,
  }
  const parts = opened.move()
  return { app, files, database, close: () => parts.disposeAsync() }
}

/**
 * Copies the setting into the environment, where worker threads read it. The setting may come from
 * a file.
 */
function useOwnIntegrations({ integrations_dir }: Config): void {
  if (integrations_dir === undefined) return
  if (!existsSync(integrations_dir))
    throw new SetupError(
      `The directory of your integrations, ${integrations_dir}, does not exist. Correct OXBOW_INTEGRATIONS_DIR.`,
    )
  process.env.OXBOW_INTEGRATIONS_DIR = integrations_dir
}

async function reachDatabase({ database_url }: Config, { waitForDatabaseMs = 0 }: NodeOptions, log: Log) {
  const waited = waitForDatabaseMs > 0 ? await waitForDatabase(database_url, waitForDatabaseMs, log) : 0
  await ensureDatabase(database_url).catch((error: Error) => {
    if (waited > 0) error.message += `\nThis node waited ${Math.ceil(waited / 1000)} seconds for it.`
    throw error
  })
}

interface StopOptions {
  /**
   * Milliseconds for which the node still serves requests, so that load balancers and clients can
   * switch to other nodes.
   */
  drainMs?: number
  /**
   * Whether another process already serves the port in place of this one. If so, clients must not
   * notice the stop: the node accepts no more connections, but keeps serving those that it has, and
   * stays ready.
   */
  isReplaced?: boolean
}

export interface Node {
  app: App
  url: string
  stop(options?: StopOptions): Promise<void>
}

/**
 * Starts a node. Resolves once it serves requests.
 *
 * Each part is added to `parts` when it starts. They stop in the reverse order: when the node stops, or
 * at once if a later part cannot start.
 */
export async function startNode(config: Config, options: NodeOptions = {}): Promise<Node> {
  await using parts = new AsyncDisposableStack()
  const fileStoreWarning = await tryFileStore(config)
  const { app, files, database, close } = await openApp(config, { ...options, isTraced: true })
  parts.defer(close)
  const { log } = app
  if (fileStoreWarning) log.warn(fileStoreWarning)
  if (isMailWithoutUrl(config)) log.warn(missingExternalUrlMessage)

  const secretWatch = await watchSecret(app, options.secretReportMs)
  parts.defer(stopStep(log, 'the report of the secret', () => secretWatch.stop()))

  parts.defer(stopStep(log, 'the event log', () => app.events.stop()))
  await app.events.start()

  parts.defer(stopStep(log, 'pictures and reports that are still written', () => app.state.close(log)))

  // Work in the background begins when the node has its port, but ends after the last request.
  const background = parts.use(new AsyncDisposableStack())

  const readiness = {
    accepting: true,
    lacksIndexes: await reportIndexProblems(app),
    databaseContact: app.events.log,
  }
  const monitor = new NodeMonitor({
    app,
    files,
    isCutOff: () => app.events.log.isCutOff,
    outboxAgeMs: () => app.events.log.outboxAgeMs,
    intervalMs: options.monitorMs,
  })
  publishMonitor(monitor, app.metrics, new Set(jobs.map(({ name }) => name)))
  const http = buildApp(app, {
    readiness,
    monitor,
    checked: options.checked ?? config.mode !== 'production',
    stallMs: options.stallMs,
  })
  const unused = trackUnusedConnections(http.server)
  let replaced: Promise<void> | undefined
  parts.defer(stopStep(log, 'open requests', () => closeHttp(http, app, unused, replaced)))
  parts.defer(stopStep(log, 'outgoing requests', () => app.outbound.close()))
  await http.listen({ host: config.host, port: config.port, backlog }).catch((error: unknown) => {
    throw portProblem(config, error)
  })
  void checkMailServer(app)

  parts.defer(() => monitor.stop())
  monitor.start()

  // A node that cannot listen must never number events.
  app.events.competeForSequencer()

  const metricsServer = await startMetricsServer(app)
  background.defer(() => {
    metricsServer?.close()
    metricsServer?.closeAllConnections()
  })

  const { idleJobs = [] } = options
  const runner = startJobs(
    app,
    database.pool,
    jobs.filter(({ name }) => !idleJobs.includes(name)),
  )
  background.defer(stopStep(log, 'background jobs', () => runner.stop()))

  const work: Work[] = []
  const stopWork = () => Promise.all(work.map((worker) => worker.stop()))
  background.defer(stopStep(log, 'work that features do in the background', stopWork))
  work.push(keepFunctions(app))
  work.push(startBackgroundMigrations(app, options.backgroundMigrations ?? backgroundMigrations))
  for (const { start } of features) if (start) work.push(start(app))

  const running = parts.move()
  let stopped: Promise<void> | undefined
  const stop = async ({ drainMs = 0, isReplaced = false }: StopOptions = {}) => {
    readiness.accepting = isReplaced
    if (isReplaced) replaced = stopAccepting(http.server)
    log.info({ drain_seconds: drainMs / 1000 }, 'this node is stopping')
    await drain(http.server, app, drainMs)
    await running.disposeAsync()
    log.info('this node has stopped')
  }
  return { app, url: urlOf(config, http.server), stop: (options) => (stopped ??= stop(options)) }
}

function urlOf({ host }: Config, server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Ends all polls and idle connections, and waits for the other open requests. */
async function closeHttp(
  http: FastifyInstance,
  app: App,
  unused: UnusedConnections,
  replaced: Promise<void> | undefined,
): Promise<void> {
  // Idle connections would otherwise delay the stop until their clients disconnect.
  const sweep = setInterval(() => {
    app.events.releaseListeners()
    http.server.closeIdleConnections()
    unused.close()
  }, 50)
  const giveUp = globalThis.setTimeout(() => http.server.closeAllConnections(), maxStopMs)
  try {
    // If the server were closed first, requests that still arrive at it would be refused.
    await replaced
    await http.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(giveUp)
  }
}

/**
 * Stops listening without closing idle connections, unlike `close` of the HTTP server. Resolves
 * when all connections have ended.
 */
function stopAccepting(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
}

/**
 * Serves requests as before, but closes each connection after its next response. Closing idle
 * connections at once could break a request that is just being sent.
 */
async function drain(server: Server, app: App, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  const release = setInterval(() => app.events.releaseListeners(), 250)
  await setTimeout(milliseconds)
  clearInterval(release)
}

/**
 * Logs each missing or invalid index with the statement that repairs it. Returns whether there was
 * one.
 */
async function reportIndexProblems({ db, log }: App): Promise<boolean> {
  const problems = await findIndexProblems(db)
  for (const { name, state, repair } of problems) {
    log.error(
      { index: name, repair },
      `the index ${name} is ${state}; this node is not ready until it is repaired`,
    )
  }
  return problems.length > 0
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
