import type { ChildProcess } from 'node:child_process'
import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, freePort, hasExited, startChild } from '@oxbow/testkit'
import { findPostgresBinaries, type ProcessAccount } from './machine.ts'
import { startNetwork } from './network.ts'

/** A PostgreSQL server with its Patroni. Its connections to other members, etcd and HAProxy use proxies. */
export interface Member extends AsyncDisposable {
  name: string
  /** Ports of the proxies, to which HAProxy and the other members connect. */
  ports: { postgres: number; api: number }
  /** URL of Patroni's API, which bypasses the proxy. */
  apiUrl: string
  /** Starts Patroni, which starts PostgreSQL. Does nothing if Patroni runs. */
  start(): void
  /** Kills PostgreSQL but not Patroni. */
  killPostgres(): void
  /** Kills everything, like a machine that loses power. */
  kill(): Promise<void>
  /** Stops all processes without ending them, like a machine that hangs. */
  freeze(): void
  thaw(): void
  /** Blocks the network between this member and the others, etcd and HAProxy. Its processes continue. */
  cutOff(): void
  reconnect(): void
}

/** Patroni's time limits in seconds. It requires `loop_wait` + 2 × `retry_timeout` ≤ `ttl`. */
export interface Times {
  ttl: number
  loop_wait: number
  retry_timeout: number
}

export interface MemberOptions {
  name: string
  directory: string
  etcdPort: number
  account: ProcessAccount
  times: Times
}

export async function prepareMember({ name, directory, etcdPort, account, times }: MemberOptions) {
  const [postgresPort, apiPort] = [await freePort(), await freePort()]
  const network = await startNetwork([postgresPort, apiPort, etcdPort])
  const [postgres = 0, api = 0, etcd = 0] = network.ports
  const configFile = join(directory, `${name}.yml`)
  const dataDirectory = join(directory, name)
  const ports = { postgres, api }
  writeFileSync(
    configFile,
    JSON.stringify(
      patroniConfig({
        name,
        directory,
        dataDirectory,
        postgresPort,
        apiPort,
        ports,
        etcdPort: etcd,
        times,
      }),
    ),
  )
  let patroni: ChildProcess | undefined

  /** Lists Patroni, PostgreSQL and all their child processes. */
  const listProcesses = () => {
    const postmaster = readPostmaster(dataDirectory)
    const roots = [patroni && !hasExited(patroni) ? patroni.pid : undefined, postmaster]
    return listDescendants(roots.filter((pid) => pid !== undefined))
  }
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of listProcesses()) signalProcess(pid, signal)
  }
  const killAll = () => {
    // All processes are stopped first, so that none reacts to the end of another.
    signalAll('SIGSTOP')
    signalAll('SIGKILL')
  }
  process.once('exit', killAll)
  const member: Member = {
    name,
    ports,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    start() {
      if (patroni && !hasExited(patroni)) return
      const log = openSync(join(directory, `${name}.log`), 'a')
      patroni = startChild('patroni', [configFile], {
        ...account,
        cwd: directory,
        stdio: ['ignore', log, log],
      })
    },
    killPostgres() {
      const postmaster = readPostmaster(dataDirectory)
      if (postmaster === undefined) throw new Error(`${name} has no PostgreSQL to kill`)
      signalProcess(postmaster, 'SIGKILL')
    },
    async kill() {
      const killed = listProcesses()
      killAll()
      await eventually(() => killed.every(isGone))
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    cutOff: () => network.cut(),
    reconnect: () => network.heal(),
    async [Symbol.asyncDispose]() {
      await member.kill()
      process.off('exit', killAll)
      await network[Symbol.asyncDispose]()
    },
  }
  return member
}

interface PatroniOptions extends Omit<MemberOptions, 'account'> {
  dataDirectory: string
  postgresPort: number
  apiPort: number
  ports: Member['ports']
}

/** Returns Patroni's configuration. JSON is also YAML. */
function patroniConfig({
  name,
  directory,
  dataDirectory,
  postgresPort,
  apiPort,
  ports,
  etcdPort,
  times,
}: PatroniOptions) {
  const address = (port: number) => `127.0.0.1:${port}`
  return {
    scope: 'ha',
    name,
    restapi: { listen: address(apiPort), connect_address: address(ports.api) },
    // Otherwise Patroni would ask etcd for its address, and connect past the proxy.
    etcd3: { hosts: address(etcdPort), use_proxies: true },
    bootstrap: {
      dcs: {
        ...times,
        // A leader whose PostgreSQL crashed is replaced at once.
        master_start_timeout: 0,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 200, wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums', { auth: 'trust' }],
    },
    postgresql: {
      listen: address(postgresPort),
      connect_address: address(ports.postgres),
      data_dir: dataDirectory,
      bin_dir: findPostgresBinaries(),
      pgpass: join(directory, `${name}.pgpass`),
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      authentication: {
        superuser: { username: 'postgres', password: 'none' },
        replication: { username: 'replicator', password: 'none' },
        rewind: { username: 'postgres', password: 'none' },
      },
      parameters: { unix_socket_directories: directory },
    },
  }
}

function readPostmaster(dataDirectory: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0])
    // Another process may have got the pid of a postmaster that was killed.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDirectory) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Lists these processes and all processes that they started, directly or not. */
function listDescendants(roots: readonly number[]): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const parent = readParent(entry)
    if (parent !== undefined) parents.set(Number(entry), parent)
  }
  const found = new Set(roots)
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

function readParent(pid: string): number | undefined {
  try {
    // The second field, the name of the program, is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return Number(fields?.[1])
  } catch {
    return undefined
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns whether a process has ended. A killed process whose parent does not wait for it remains as a zombie. */
function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? true
  } catch {
    return true
  }
}
