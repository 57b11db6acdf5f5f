import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, OrganizationId, UserId } from '@oxbow/contract'
import { applyEvent, type Client, createClient, type State } from '@oxbow/sdk'
import { drainQueue, eventually, startPostgresServer, testSecret } from '@oxbow/testkit'
import pg from 'pg'
import { addUserByOperator, createOrganization, loadConfig, type Node, startNode } from '../../src/index.ts'
import { connectionOptions } from '../../src/platform/database/database.ts'
import { nameOf, versionOf, write } from './writers.ts'

export interface TrialOptions {
  registers: number
  writers: number
}

export interface TrialResult {
  registers: number
  changes: number
  events: number
  takeOvers: number
  /** Rows whose versions, from the register's state through the events, were not one after another. */
  missing: number
  repeated: number
  /** Queues whose state and events do not add up to the state at the end. */
  different: number
}

/** Registers while writers fight for the same rows and the sequencer's session is ended again and again. */
export async function runCutTrial({ registers, writers }: TrialOptions): Promise<TrialResult> {
  await using server = await startPostgresServer()
  const databaseUrl = server.url('oxbow')
  const { config } = loadConfig(
    {
      database_url: databaseUrl,
      port: 0,
      secret: testSecret,
      rate_limit_per_minute: 0,
      log_level: 'silent',
      database_pool_size: 30,
    },
    {},
  )
  await using fleet = new AsyncDisposableStack()
  const nodes = [await startNode(config), await startNode(config)] as const
  for (const node of nodes) fleet.defer(() => node.stop())
  const [{ app }] = nodes
  const { organization_id, ...account } = await createOrganization(app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
  })
  const users: UserId[] = []
  for (let index = 0; index < 8; index++) {
    const email = `person${index}@garden.example`
    const added = await addUserByOperator(app, { subdomain: '', email, full_name: nameOf(0), role: 'member' })
    users.push(added.user_id as UserId)
  }
  const member = await addUserByOperator(app, {
    subdomain: '',
    email: 'reader@garden.example',
    full_name: 'Rita Reader',
    role: 'guest',
  })
  const clientAt = (node: Node, credentials: { email: string; api_key: string }) =>
    createClient({ url: node.url, credentials })
  const readers = nodes.flatMap((node) => [clientAt(node, account), clientAt(node, member)])

  const stopping = new AbortController()
  fleet.defer(() => stopping.abort())
  const place = {
    app,
    databaseUrl,
    organization_id: organization_id as OrganizationId,
    users,
    owner: clientAt(nodes[0], account),
  }
  const writing = Array.from({ length: writers }, () => write(place, stopping.signal))
  const killing = killSequencers(databaseUrl, stopping.signal)
  const states: { reader: Client; state: State }[] = []
  let turn = 0
  const register = async () => {
    while (states.length < registers) {
      const reader = readers[turn++ % readers.length] as Client
      const state = await reader.events.register({
        fetch_event_types: ['realm_user', 'custom_profile_fields'],
      })
      states.push({ reader, state })
    }
  }
  await Promise.all(Array.from({ length: 6 }, register))
  stopping.abort()
  const changes = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0)
  const takeOvers = await killing
  const head = await settle(databaseUrl, organization_id)

  const result = {
    registers: states.length,
    changes,
    events: 0,
    takeOvers,
    missing: 0,
    repeated: 0,
    different: 0,
  }
  for (const [index, { reader, state }] of states.entries()) {
    // Half of the queues are polled at another node than they were registered at.
    const there = readers[(readers.indexOf(reader) + readers.length / 2) % readers.length] as Client
    const poller = index % 2 === 0 ? reader : there
    const fresh = await eventually(async () => {
      const now = await reader.events.register({ fetch_event_types: ['realm_user', 'custom_profile_fields'] })
      return now.last_event_id >= head && now
    })
    const events = await drainQueue(poller, state)
    result.events += events.length
    judge(state, events, fresh, result)
  }
  return result
}

function judge(state: State, events: Event[], fresh: State, result: TrialResult): void {
  const versions = new Map(
    [...(state.realm_users ?? [])].map(({ user_id, full_name }) => [user_id as number, versionOf(full_name)]),
  )
  for (const event of events) {
    if (event.type !== 'realm_user' || event.op !== 'update' || !('full_name' in event.person)) continue
    const { user_id, full_name } = event.person
    const [known, next] = [versions.get(user_id) ?? Number.NaN, versionOf(full_name)]
    if (next <= known) result.repeated++
    if (next > known + 1) result.missing += next - known - 1
    versions.set(user_id, next)
  }
  for (const { user_id, full_name } of fresh.realm_users ?? []) {
    const behind = versionOf(full_name) - (versions.get(user_id) ?? Number.NaN)
    if (behind > 0) result.missing += behind
  }
  const folded = events.reduce((before, event) => applyEvent(before, event), state)
  const essence = ({ realm_users, custom_profile_fields }: State) =>
    JSON.stringify([realm_users, custom_profile_fields])
  if (essence(folded) !== essence(fresh)) result.different++
}

/** As if its process had died: another node takes the lock, or the same one again. */
async function killSequencers(databaseUrl: string, signal: AbortSignal): Promise<number> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  await client.connect()
  let killed = 0
  while (!signal.aborted) {
    await sleep(700, undefined, { signal }).catch(() => {})
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and mode = 'ExclusiveLock' and application_name like 'oxbow sequencer%'`,
    )
    killed += rowCount ?? 0
  }
  await client.end()
  return killed
}

async function settle(databaseUrl: string, organization_id: number): Promise<number> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  await client.connect()
  await eventually(async () => (await client.query('select from outbox limit 1')).rowCount === 0, 30_000)
  const { rows } = await client.query('select last_seq from event_head where organization_id = $1', [
    organization_id,
  ])
  await client.end()
  return rows[0].last_seq
}
