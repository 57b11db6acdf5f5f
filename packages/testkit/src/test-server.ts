import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig, type Node, type ResolveHost, startNode } from '@oxbow/server'
import { createTestDatabase, type TestDatabase, testSecret } from './databases.ts'
import { eventually } from './eventually.ts'
import { LogCapture } from './log-capture.ts'
import { atTestProcessEnd, mayShare } from './test-process.ts'

export type NodeName = 'a' | 'b'

export interface ServerOptions {
  /** Settings that differ from the test defaults. */
  config: Partial<Config>
  /** Whether every response is validated against the contract. */
  checked: boolean
  /** Names of jobs that no node runs. */
  idleJobs: readonly string[]
  /** Resolves the host names of outgoing requests. Without it, no host has an address. */
  resolveHost?: ResolveHost | undefined
  /** Interval at which the nodes observe themselves. */
  monitorMs?: number | undefined
  /** How long nodes wait for PostgreSQL, and transactions may pause. */
  databaseTimeoutMs?: number | undefined
  /** How long a search and other reads of messages may take. */
  adHocTimeoutMs?: number | undefined
}

/** A database and two nodes. */
export interface TestServer {
  readonly database: TestDatabase
  /** Directory in which both nodes store files. */
  readonly files_dir: string
  readonly nodes: Record<NodeName, Node>
  /** Receives the log lines of both nodes. */
  readonly log: LogCapture
  /** Ends the caller's use of the server. The server then stops, or waits for the next test file. */
  release(): Promise<void>
}

const defaults: Partial<Config> = {
  host: '127.0.0.1',
  port: 0,
  secret: testSecret,
  rate_limit_per_minute: 0,
  connections_per_account: 0,
  metrics_listen: 'off',
  log_level: 'info',
  database_pool_size: 5,
}

/**
 * Time limits of nodes in tests. They are long, because requests may wait while other tests use the processors and
 * disks.
 */
export const patientLimits = { databaseTimeoutMs: 60_000, adHocTimeoutMs: 60_000 } as const

/** Finds no addresses, because nodes must not query real name servers for links that tests send. */
const resolveNothing: ResolveHost = async () => []

/** Starts a database and two nodes. */
export async function startServer({
  config: overrides,
  checked,
  idleJobs,
  resolveHost = resolveNothing,
  monitorMs,
  databaseTimeoutMs = patientLimits.databaseTimeoutMs,
  adHocTimeoutMs = patientLimits.adHocTimeoutMs,
}: ServerOptions): Promise<TestServer> {
  const database = await createTestDatabase()
  const log = new LogCapture()
  const files_dir = join(tmpdir(), `oxbow-files-${randomUUID()}`)
  const data_dir = join(tmpdir(), `oxbow-data-${randomUUID()}`)
  const { OXBOW_WEB_DIR: web_dir } = process.env
  const { config } = loadConfig(
    { ...defaults, data_dir, files_dir, web_dir, ...overrides, database_url: database.url },
    {},
  )
  const options = {
    logTo: log,
    passwordCost: 'cheap',
    checked,
    idleJobs,
    resolveHost,
    monitorMs,
    databaseTimeoutMs,
    adHocTimeoutMs,
  } as const
  const start = () => startNode(config, options)
  const [a, b] = await Promise.all([start(), start()])
  return {
    database,
    files_dir,
    nodes: { a, b },
    log,
    async release() {
      await Promise.all([a.stop(), b.stop()])
      await database[Symbol.asyncDispose]()
      for (const path of [files_dir, data_dir]) await removeTree(path)
    },
  }
}

let shared: Promise<TestServer> | undefined
let isSharedInUse = false

/**
 * Returns the server that the test files of one process share, or starts a new one if it is in use.
 * Starting takes most of a second, which is longer than many test files run. A world does not see
 * the data of earlier ones: each has its own organization, and only the newest organization is at
 * the root host.
 */
export async function borrowServer(options: ServerOptions): Promise<TestServer> {
  if (!mayShare() || isSharedInUse) return startServer(options)
  isSharedInUse = true
  shared ??= startSharedServer(options)
  const server = await shared
  await waitUntilReady(server)
  server.log.lines.length = 0
  const refuse = () => {
    throw new Error(
      'Other test files use this node. Start the world with { ownServer: true } to stop a node.',
    )
  }
  const { a, b } = server.nodes
  return {
    ...server,
    nodes: { a: { ...a, stop: refuse }, b: { ...b, stop: refuse } },
    async release() {
      await retireOrganizations(server)
      await emptyFolder(server.files_dir)
      isSharedInUse = false
    },
  }
}

async function startSharedServer(options: ServerOptions): Promise<TestServer> {
  const server = await startServer(options)
  atTestProcessEnd('the shared server', server.release)
  return server
}

/**
 * Waits until both nodes serve requests. A test file that computes for seconds blocks the nodes of its process too,
 * which then refuse requests until PostgreSQL has answered them again.
 */
async function waitUntilReady({ nodes }: TestServer): Promise<void> {
  for (const { url } of Object.values(nodes)) await eventually(async () => (await fetch(`${url}/ready`)).ok)
}

/** Removes the organizations of a finished world from their hosts, and closes their event queues. */
async function retireOrganizations({ database, nodes }: TestServer): Promise<void> {
  await database.query('delete from event_queue')
  await database.query("update organization set subdomain = 'past-' || id where subdomain !~ '^past-'")
  await eventually(async () => (await database.query('select from outbox limit 1')).length === 0)
  // The server of the tests has no autovacuum, and every read of new events would pass the deleted rows.
  await database.query('vacuum outbox')
  for (const { app } of Object.values(nodes)) {
    app.events.releaseListeners()
    app.events.log.invalidateAll()
  }
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => removeTree(join(folder, name))))
}

/** Removes a directory in which a node may still write, such as the small picture of an upload. */
const removeTree = (path: string) =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
