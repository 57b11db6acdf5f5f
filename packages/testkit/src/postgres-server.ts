import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { copyPostgresTemplate, dropMigratedDatabase, renameMigratedDatabase } from './postgres-template.ts'
import { bySize } from './size.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'start-postgres.sh')

/**
 * Tests crash the server, but not the machine, so that nothing is lost without fsync. After a crash, a
 * server with fsync would first write all its files to the disk, which takes seconds on a busy machine.
 */
const serverSettings = bySize({ gate: '-c fsync=off', long: '' })

export interface PostgresServer extends AsyncDisposable {
  port: number
  /** Contains the log, and the database cluster in `data/`. */
  directory: string
  url(database: string): string
  /** Ends the server immediately, without a checkpoint, like a power failure. */
  kill(): void
  start(): void
  /** Crashes the server and waits until it is running again, without blocking the event loop. */
  restart(): Promise<void>
  /** Starts another server that replicates from this one. */
  startStandby(): Promise<PostgresStandby>
}

interface PostgresStandby extends PostgresServer {
  /** The proxy between the standby and its primary. After `close`, the standby receives no more commits. */
  network: TcpProxy
  promote(): Promise<void>
}

export interface PostgresServerOptions {
  /**
   * Name of a migrated database that the server has from the beginning; by default there is none, and
   * the first node creates it.
   */
  database?: string
  /** Directory of the PostgreSQL binaries; by default those installed on the machine. Excludes `database`. */
  bin?: string
  /** Additional environment variables of the server, for instance for a fake clock. */
  env?: Readonly<Record<string, string>>
}

/** Starts a PostgreSQL server for one test. The test can stop and start it while nodes are running. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { server, directory, startFirstTime } = await prepareServer(options)
  if (options.bin && options.database) throw new Error('the template has the data of another version')
  try {
    if (!options.bin) await copyPostgresTemplate(directory)
    await startFirstTime()
    const administrationUrl = server.url('postgres')
    if (options.database) await renameMigratedDatabase(administrationUrl, options.database)
    else if (!options.bin) await dropMigratedDatabase(administrationUrl)
    return server
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

async function startStandbyOf(primaryPort: number): Promise<PostgresStandby> {
  const network = await startTcpProxy(primaryPort)
  const { server, directory, startFirstTime } = await prepareServer({}, '--standby', String(network.port))
  const dispose = server[Symbol.asyncDispose]
  const standby = Object.assign(server, {
    network,
    promote: () => run({}, '--promote', directory),
    async [Symbol.asyncDispose]() {
      await dispose()
      await network[Symbol.asyncDispose]()
    },
  })
  await startFirstTime()
  return standby
}

/**
 * Prepares a server. The returned `startFirstTime` also creates its data; only that start
 * passes `option` and `more` to the start script.
 */
async function prepareServer(
  { bin, env: serverEnv = {} }: PostgresServerOptions,
  option?: string,
  ...more: string[]
) {
  const assignments = Object.entries(serverEnv).map(([name, value]) => `${name}='${value}'`)
  const env = {
    POSTGRES_ENV: assignments.join(' '),
    POSTGRES_SETTINGS: serverSettings,
    ...(bin && { POSTGRES_BIN: bin }),
  }
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-postgres-'))
  const port = await freePort()
  let running = false
  const server: PostgresServer = {
    port,
    directory,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start() {
      runSync(env, directory, String(port))
      running = true
    },
    kill() {
      runSync(env, '--stop', directory)
      running = false
    },
    restart: () => run(env, '--restart', directory),
    startStandby: () => startStandbyOf(port),
    async [Symbol.asyncDispose]() {
      if (running) server.kill()
      process.off('exit', stopAtExit)
      rmSync(directory, { recursive: true, force: true })
    },
  }
  // A server that is not disposed of would keep running.
  const stopAtExit = () => {
    if (running) server.kill()
  }
  process.once('exit', stopAtExit)
  const startFirstTime = async () => {
    await run(env, ...(option ? [option] : []), directory, String(port), ...more)
    running = true
  }
  return { server, directory, startFirstTime }
}

async function run(env: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  await promisify(execFile)('bash', [script, ...args], { env: { ...process.env, ...env } })
}

function runSync(env: NodeJS.ProcessEnv, ...args: string[]): void {
  execFileSync('bash', [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
