import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freePort, killChild, startChild } from '@oxbow/testkit'
import { haproxyConfig } from './haproxy-config.ts'
import { findAccount } from './machine.ts'
import { type Member, prepareMember, type Times } from './member.ts'

/** A highly available PostgreSQL: members run by Patroni, etcd, and HAProxy, which routes to the leader. */
export interface Cluster extends AsyncDisposable {
  directory: string
  members: readonly Member[]
  /** Returns the URL of a database through HAProxy. It stays valid when the leader changes. */
  url(database: string): string
  /** Waits until exactly one member reports that it is the leader, and returns it. */
  waitForLeader(): Promise<Member>
  /** Returns the standby that, like the leader, has every acknowledged commit. */
  findSynchronousStandby(): Promise<Member>
  /** Starts the processes that are missing, and waits until all other members follow the leader. */
  restore(): Promise<void>
  restartEtcd(): Promise<void>
}

const startTimeoutMs = 180_000

/** Starts all processes in one directory, on free ports of 127.0.0.1, without root privileges. */
export async function startCluster(memberCount: number, times: Times): Promise<Cluster> {
  await using starting = new AsyncDisposableStack()
  const account = findAccount()
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-ha-'))
  starting.defer(() => rmSync(directory, { recursive: true, force: true }))
  chmodSync(directory, 0o755)
  if (account.uid !== undefined) chownSync(directory, account.uid, account.gid ?? account.uid)
  const start = (program: string, ...args: string[]) =>
    startChild(program, args, { ...account, cwd: directory, stdio: 'ignore' })

  const [etcdPort, etcdPeerPort, leaderPort] = [await freePort(), await freePort(), await freePort()]
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const peerUrl = `http://127.0.0.1:${etcdPeerPort}`
  const startEtcd = async () => {
    const options = {
      name: 'ha',
      'data-dir': join(directory, 'etcd'),
      'log-level': 'error',
      'listen-client-urls': etcdUrl,
      'advertise-client-urls': etcdUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `ha=${peerUrl}`,
    }
    const child = start('etcd', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`))
    await eventually(() => isHealthy(`${etcdUrl}/health`))
    return child
  }
  let etcd = await startEtcd()
  starting.defer(() => killChild(etcd))

  const members: Member[] = []
  for (let number = 1; number <= memberCount; number++) {
    const member = await prepareMember({ name: `pg${number}`, directory, etcdPort, account, times })
    members.push(starting.use(member))
  }
  // The first member creates the database, and the others copy it.
  for (const member of members) member.start()

  const configFile = join(directory, 'haproxy.cfg')
  writeFileSync(configFile, haproxyConfig(leaderPort, members))
  const haproxy = start('/usr/sbin/haproxy', '-db', '-f', configFile)
  starting.defer(() => killChild(haproxy))

  const findLeaders = async () => {
    const isLeader = await Promise.all(members.map((member) => isHealthy(`${member.apiUrl}/primary`)))
    return members.filter((_, index) => isLeader[index])
  }
  const waitForLeader = () =>
    eventually(async () => {
      const [first, ...others] = await findLeaders()
      return others.length === 0 && first
    }, startTimeoutMs)
  const readStates = async (): Promise<MemberState[]> => {
    const { apiUrl } = await waitForLeader()
    const response = await fetch(`${apiUrl}/cluster`, { signal: AbortSignal.timeout(2_000) })
    return ((await response.json()) as { members: MemberState[] }).members
  }
  const isComplete = async () => {
    const states = await readStates()
    return (
      states.length === memberCount &&
      states.every(({ state }) => state === 'running' || state === 'streaming') &&
      states.some(isSynchronous)
    )
  }
  const cluster: Omit<Cluster, keyof AsyncDisposable> = {
    directory,
    members,
    url: (database) => `postgres://postgres@127.0.0.1:${leaderPort}/${database}`,
    waitForLeader,
    findSynchronousStandby: () =>
      eventually(async () => {
        const name = (await readStates()).find(isSynchronous)?.name
        return members.find((member) => member.name === name)
      }),
    async restore() {
      for (const member of members) member.start()
      await eventually(() => isComplete().catch(() => false), startTimeoutMs)
    },
    async restartEtcd() {
      await killChild(etcd)
      etcd = await startEtcd()
    },
  }
  await cluster.restore()
  const owned = starting.move()
  return { ...cluster, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

interface MemberState {
  name: string
  role: string
  state: string
}

const isSynchronous = ({ role }: MemberState): boolean => role === 'sync_standby'

/** Returns whether a GET request is answered with 200 within two seconds. */
async function isHealthy(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
}
