import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'start-postgres.sh')

export interface PostgresServer extends AsyncDisposable {
  port: number
  /** Holds the cluster, in `data`, and its log. */
  directory: string
  url(database: string): string
  /** Ends the server at once, without a checkpoint, as a power failure does. */
  kill(): void
  start(): void
  /** Crashes the server and waits until it is back, without blocking the event loop. */
  restart(): Promise<void>
  /** Starts another server that replicates from this one. */
  startStandby(): Promise<PostgresStandby>
}

export interface PostgresStandby extends PostgresServer {
  /** Proxy between the standby and its primary; after `close` the standby receives no more commits. */
  network: TcpProxy
  promote(): Promise<void>
}

export interface PostgresServerOptions {
  /** The directory with the binaries of another version than the machine's. */
  bin?: string
  /** Further environment of the server, for instance of a fake clock. */
  env?: Readonly<Record<string, string>>
}

/** Starts a PostgreSQL server for one test, which can stop and start it while nodes run. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { server, begin } = await prepareServer(options)
  await begin()
  return server
}

async function startStandbyOf(primary: number): Promise<PostgresStandby> {
  const network = await startTcpProxy(primary)
  const { server, directory, begin } = await prepareServer({}, '--standby', String(network.port))
  const dispose = server[Symbol.asyncDispose]
  const standby = Object.assign(server, {
    network,
    promote: () => run({}, '--promote', directory),
    async [Symbol.asyncDispose]() {
      await dispose()
      await network[Symbol.asyncDispose]()
    },
  })
  await begin()
  return standby
}

/** Passes `option` and `more` to the start script at the first start only, which creates the data. */
async function prepareServer(
  { bin, env: serverEnv = {} }: PostgresServerOptions,
  option?: string,
  ...more: string[]
) {
  const assignments = Object.entries(serverEnv).map(([name, value]) => `${name}='${value}'`)
  const env = { POSTGRES_ENV: assignments.join(' '), ...(bin && { POSTGRES_BIN: bin }) }
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-postgres-'))
  const port = await freePort()
  let running = false
  const server: PostgresServer = {
    port,
    directory,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start() {
      runNow(env, directory, String(port))
      running = true
    },
    kill() {
      runNow(env, '--stop', directory)
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
  // A server that is not disposed of would run for ever.
  const stopAtExit = () => {
    if (running) server.kill()
  }
  process.once('exit', stopAtExit)
  const begin = async () => {
    await run(env, ...(option ? [option] : []), directory, String(port), ...more)
    running = true
  }
  return { server, directory, begin }
}

async function run(env: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  await promisify(execFile)('bash', [script, ...args], { env: { ...process.env, ...env } })
}

function runNow(env: NodeJS.ProcessEnv, ...args: string[]): void {
  execFileSync('bash', [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
