import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncOptionsWithStringEncoding,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '@oxbow/server'
import { type Account, findPostgresAccount } from './postgres-account.ts'
import { copyPostgres } from './postgres-binaries.ts'

/** A PostgreSQL server of this process. It ends with the process, even if the process is killed. */
export interface OwnPostgres {
  /** The URL of the database `oxbow`, at a socket that only its owner can access. */
  url: string
  pid: number
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<unknown>
  /** Shuts the server down. Its clients are disconnected. */
  stop(): Promise<void>
}

/** The kernel's limit for the path of a socket, in bytes. */
const maxSocketPath = 107
const maxStartMs = 60_000
/** A killed predecessor keeps its lock until the kernel has removed its process. */
const maxLockedMs = 10_000
const maxStopMs = 20_000

/** Settings for a laptop. A node needs about twelve connections. */
const settings = {
  listen_addresses: '',
  max_connections: 50,
  shared_buffers: '16MB',
  min_wal_size: '2MB',
  max_wal_size: '16MB',
  wal_compression: 'pglz',
  // Nothing replicates this server, so the log may leave out what only a standby would need.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  // Removes old segments of the log, instead of keeping them for reuse.
  wal_recycle: 'off',
  jit: 'off',
  // By default, three I/O workers would run, which a small database does not need.
  io_method: 'sync',
}

const environment = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' }

interface Server {
  native: string
  cluster: string
  sockets: string
  log: string
  account: Account | undefined
}

/** Starts PostgreSQL with its data in `directory`, which is created if it is missing. */
export async function startPostgres(directory: string): Promise<OwnPostgres> {
  mkdirSync(directory, { recursive: true })
  const account = findPostgresAccount(directory)
  const { native, major } = copyPostgres(directory)
  refuseOtherVersion(directory, major)
  const cluster = join(directory, `cluster-${major}`)
  if (!existsSync(join(cluster, 'PG_VERSION'))) createCluster(native, cluster, account)
  const sockets = makeSocketDirectory(directory, account)
  const server: Server = { native, cluster, sockets, account, log: join(directory, 'postgres.log') }
  const child = await startServer(server)
  return {
    url: `postgres://oxbow@/oxbow?host=${encodeURIComponent(sockets)}`,
    pid: child.pid as number,
    ended: new Promise((resolve) => child.once('exit', resolve)),
    async stop() {
      await stopServer(child)
      rmSync(sockets, { recursive: true, force: true })
    },
  }
}

function refuseOtherVersion(directory: string, major: string): void {
  const clusters = readdirSync(directory).filter((name) => /^cluster-\d+$/.test(name))
  if (clusters.length === 0 || clusters.includes(`cluster-${major}`)) return
  throw new OperatorError(
    `${join(directory, clusters[0] as string)} was written by another version than PostgreSQL ${major}. ` +
      'Use the release of Oxbow that wrote it, or another directory.',
  )
}

/**
 * Creates the cluster in a temporary directory and then renames it, so that an interrupted start
 * leaves no incomplete cluster.
 */
function createCluster(native: string, cluster: string, account: Account | undefined): void {
  const unfinished = `${cluster}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (account) chownSync(unfinished, account.uid, account.gid)
  const runAs = { ...account, env: environment, cwd: '/', encoding: 'utf8' } as const
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
  // initdb would otherwise keep 5 MB of its own log for reuse.
  const log = ['--wal-segsize=1', '--set=wal_recycle=off']
  const options = ['--username=oxbow', '--auth=trust', ...locale, ...log, '--no-instructions']
  refuseFailure(spawnSync(join(native, 'bin/initdb'), ['-D', unfinished, ...options], runAs))
  keepTwoDatabases(native, unfinished, runAs)
  renameSync(unfinished, cluster)
}

/**
 * Renames the database that initdb creates for tools to `oxbow`, because creating another one would
 * take longer, and removes one of the two from which others are created. Each takes 8 MB.
 */
function keepTwoDatabases(native: string, cluster: string, runAs: SpawnSyncOptionsWithStringEncoding): void {
  const statements = [
    'alter database postgres rename to oxbow',
    'alter database template0 is_template false',
    'drop database template0',
  ]
  const options = { ...runAs, input: statements.map((statement) => `${statement}\n`).join('') }
  // A process can neither rename nor drop the database that it uses.
  refuseFailure(spawnSync(join(native, 'bin/postgres'), ['--single', '-D', cluster, 'template1'], options))
}

function refuseFailure({ status, stdout, stderr, error }: SpawnSyncReturns<string>): void {
  if (status === 0) return
  throw new OperatorError(`PostgreSQL could not be set up: ${error?.message ?? ''}${stdout}${stderr}`)
}

/** Creates a directory that only the account can enter. There is no other authentication. */
function makeSocketDirectory(directory: string, account: Account | undefined): string {
  const near = join(directory, 'run')
  const isShort = Buffer.byteLength(join(near, '.s.PGSQL.5432')) < maxSocketPath
  const sockets = isShort ? near : mkdtempSync(join(tmpdir(), 'oxbow-'))
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  if (account) chownSync(sockets, account.uid, account.gid)
  return sockets
}

async function startServer(server: Server): Promise<ChildProcess> {
  const lockedUntil = Date.now() + maxLockedMs
  for (;;) {
    const logged = existsSync(server.log) ? statSync(server.log).size : 0
    const child = spawnServer(server)
    if (await becomesReady(child, server.cluster)) return child
    const reason = readFileSync(server.log, 'utf8').slice(logged).trim()
    const isLocked = /lock file .* already exists/.test(reason)
    if (isLocked && Date.now() < lockedUntil) await sleep(250)
    else if (isLocked)
      throw new OperatorError(
        `Another \`oxbow try\` uses ${join(server.cluster, '..')}. Stop it, or choose another --directory.`,
      )
    else throw new OperatorError(`PostgreSQL did not start:\n${reason}`)
  }
}

function spawnServer({ native, cluster, sockets, account, log }: Server): ChildProcess {
  const program = join(native, 'bin/postgres')
  const all = { ...settings, unix_socket_directories: sockets }
  const args = ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const output = openSync(log, 'a', 0o600)
  // Runs in its own session: Ctrl-C in a terminal must reach the node first, which then stops PostgreSQL.
  const options: SpawnOptions = {
    env: environment,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  }
  if (spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status !== 0)
    return spawn(program, args, { ...options, ...account })
  // The kernel sends SIGINT, which means a fast shutdown, when this process dies.
  const as = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
  return spawn('setpriv', [...as, '--pdeathsig', 'INT', program, ...args], options)
}

/**
 * Waits until the server is ready. Returns false if its process ended. The process id is compared,
 * because a killed server leaves a status file that says ready.
 */
async function becomesReady(child: ChildProcess, cluster: string): Promise<boolean> {
  for (const until = Date.now() + maxStartMs; Date.now() < until; await sleep(10)) {
    if (child.exitCode !== null || child.signalCode !== null) return false
    const file = join(cluster, 'postmaster.pid')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (Number(lines[0]) === child.pid && lines[7]?.startsWith('ready')) return true
  }
  child.kill('SIGQUIT')
  throw new OperatorError(`PostgreSQL did not become ready within ${maxStartMs / 1_000} seconds.`)
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  const forceTimer = setTimeout(() => child.kill('SIGQUIT'), maxStopMs)
  await ended
  clearTimeout(forceTimer)
}
