import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Event, OrganizationId, UserId } from '@oxbow/contract'
import { applyEvent, type Client, createClient, type State } from '@oxbow/sdk'
import { drainQueue, eventually, type Registration, startPostgresServer, testSecret } from '@oxbow/testkit'
import pg from 'pg'
import { addUserByOperator, createOrganization, loadConfig, type Node, startNode } from '../../src/index.ts'
import { connectionOptions } from '../../src/platform/database/database.ts'
import { streamNames } from './streams.ts'
import { nameOf, versionOf, write } from './writers.ts'

export interface TrialOptions {
  registers: number
  writers: number
}

export interface TrialResult {
  registers: number
  changes: number
  events: number
  /** How often the sequencer's session was terminated. */
  takeOvers: number
  /** Number of changes that are neither in a registered state nor in the events of its queue. */
  missing: number
  /** Number of events whose change the state already included. */
  repeated: number
  /** Number of queues whose state and events do not add up to the final state. */
  different: number
}

const registration: Registration = {
  include_subscribers: true,
  fetch_event_types: [
    'realm_user',
    'custom_profile_fields',
    'stream',
    'subscription',
    'default_streams',
    'muted_topics',
  ],
}

/** Number of queues per account, below the server's limit. */
const registersPerAccount = 800

/**
 * Registers queues while writers change the same rows and the sequencer's session is terminated
 * repeatedly.
 */
export async function runCutTrial({ registers, writers }: TrialOptions): Promise<TrialResult> {
  await using server = await startPostgresServer({ database: 'oxbow' })
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
  // The machine may be busy with other tests, and a writer fails if it gets no connection in time.
  const options = { databaseTimeoutMs: 60_000 }
  const nodes = [await startNode(config, options), await startNode(config, options)] as const
  for (const node of nodes) fleet.defer(() => node.stop())
  const [{ app }] = nodes
  const { organization_id, ...account } = await createOrganization(app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
    streams: false,
  })
  const users: UserId[] = []
  for (let index = 0; index < 8; index++) {
    const email = `person${index}@garden.example`
    const added = await addUserByOperator(app, { subdomain: '', email, full_name: nameOf(0), role: 'member' })
    users.push(added.user_id as UserId)
  }
  const others: Awaited<ReturnType<typeof addUserByOperator>>[] = []
  for (let index = 0; index < Math.max(3, registers / registersPerAccount); index++) {
    const role = index % 3 === 0 ? 'guest' : 'member'
    const email = `reader${index}@garden.example`
    others.push(await addUserByOperator(app, { subdomain: '', email, full_name: 'Rita Reader', role }))
  }
  const clientAt = (node: Node, credentials: { email: string; api_key: string }) =>
    createClient({ url: node.url, credentials })
  const readers = nodes.flatMap((node) => [account, ...others].map((reader) => clientAt(node, reader)))
  const owner = clientAt(nodes[0], account)
  await owner.subscriptions.subscribe({ subscriptions: streamNames.map((name) => ({ name })) })

  const stopping = new AbortController()
  fleet.defer(() => stopping.abort())
  const context = {
    app,
    databaseUrl,
    organization_id: organization_id as OrganizationId,
    users,
    owner,
    readers: others.map((reader, index) => ({
      client: clientAt(nodes[1], reader),
      user_id: reader.user_id as UserId,
      // A third of the readers never subscribe, because only such users lose access to a stream that
      // becomes private.
      joins: index % 3 < 2,
    })),
  }
  const writing = Array.from({ length: writers }, () => write(context, stopping.signal))
  const killing = killSequencers(databaseUrl, stopping.signal)
  // The failure of a writer fails the test when its result is read. Until then it must not end the process.
  for (const work of [...writing, killing]) work.catch(() => {})
  const states: { reader: Client; state: State }[] = []
  let round = 0
  const register = async () => {
    while (states.length < registers) {
      const reader = readers[round++ % readers.length] as Client
      const state = await reader.events.register(registration)
      states.push({ reader, state })
    }
  }
  await Promise.all(Array.from({ length: 6 }, register))
  stopping.abort()
  const changes = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0)
  const takeOvers = await killing
  const head = await waitForHead(databaseUrl, organization_id)

  const result = {
    registers: states.length,
    changes,
    events: 0,
    takeOvers,
    missing: 0,
    repeated: 0,
    different: 0,
  }
  const fresh = new Map<Client, State>()
  for (const reader of readers) {
    const now = await eventually(async () => {
      const registered = await reader.events.register(registration)
      return registered.last_event_id >= head && registered
    })
    fresh.set(reader, now)
  }
  for (const [index, { reader, state }] of states.entries()) {
    // Half of the queues are polled on a different node than the one they were registered on.
    const readerOnOtherNode = readers[
      (readers.indexOf(reader) + readers.length / 2) % readers.length
    ] as Client
    const poller = index % 2 === 0 ? reader : readerOnOtherNode
    const events = await drainQueue(poller, state)
    result.events += events.length
    checkQueue(state, events, fresh.get(reader) as State, result)
  }
  return result
}

function checkQueue(state: State, events: Event[], fresh: State, result: TrialResult): void {
  const versions = new Map(
    [...(state.realm_users ?? [])].map(({ user_id, full_name }) => [user_id as number, versionOf(full_name)]),
  )
  for (const event of events) {
    if (event.type !== 'realm_user' || event.op !== 'update' || !('full_name' in event.person)) continue
    const { user_id, full_name } = event.person
    const [version, next] = [versions.get(user_id) ?? Number.NaN, versionOf(full_name)]
    if (next <= version) result.repeated++
    if (next > version + 1) result.missing += next - version - 1
    versions.set(user_id, next)
  }
  for (const { user_id, full_name } of fresh.realm_users ?? []) {
    const behind = versionOf(full_name) - (versions.get(user_id) ?? Number.NaN)
    if (behind > 0) result.missing += behind
  }
  let folded = state
  let isRenamed = false
  for (const event of events) {
    // After a rename, the list of muted topics is sent again and may equal the updated state.
    if (event.type === 'stream' && event.op === 'update' && event.property === 'name') isRenamed = true
    checkList(folded, event, isRenamed, result)
    if (event.type === 'muted_topics') isRenamed = false
    folded = applyEvent(folded, event, registration)
  }
  if (!isDeepStrictEqual(withoutQueue(folded), withoutQueue(fresh))) result.different++
}

/**
 * Checks that an event with a complete list differs from the previous list by at most one change.
 * Two changes mean that an event is missing.
 */
function checkList(before: State, event: Event, isRenamed: boolean, result: TrialResult): void {
  if (event.type === 'muted_topics') {
    const changes = countDifferences(before.muted_topics, event.muted_topics, ([name, topic]) => name + topic)
    if (changes === 0 && !isRenamed) result.repeated++
    if (changes > 1) result.missing += changes - 1
  }
  if (event.type === 'default_streams') {
    const idOf = ({ stream_id }: { stream_id: number }) => String(stream_id)
    const changes = countDifferences(before.realm_default_streams, event.default_streams, idOf)
    // The list is also sent when a property of a listed stream changes, so an unchanged list is allowed.
    if (changes > 1) result.missing += changes - 1
  }
}

function countDifferences<Item>(before: Item[] = [], after: Item[], keyOf: (item: Item) => string): number {
  return new Set(before.map(keyOf)).symmetricDifference(new Set(after.map(keyOf))).size
}

function withoutQueue({ queue_id, last_event_id, ...fields }: State): object {
  return fields
}

/**
 * Terminates the sequencer's session repeatedly, as if its process had died. Any node may take the
 * lock next.
 */
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

async function waitForHead(databaseUrl: string, organization_id: number): Promise<number> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  await client.connect()
  await eventually(async () => (await client.query('select from outbox limit 1')).rowCount === 0)
  const { rows } = await client.query('select last_seq from event_head where organization_id = $1', [
    organization_id,
  ])
  await client.end()
  return rows[0].last_seq
}
