import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { addUserByOperator, connectionOptions, createOrganization, loadConfig, openApp } from '@oxbow/server'
import pg from 'pg'
import type { Account } from './account.ts'
import { checkLedgers, type LedgerCheck } from './check-ledgers.ts'
import { checkMessages, type MessageCheck } from './check-messages.ts'
import { countWronglyShown } from './check-shown.ts'
import { createTestDatabase, type TestDatabase, testSecret } from './databases.ts'
import { findLogged } from './event-log.ts'
import { eventually } from './eventually.ts'
import { type FailoverDatabase, startFailoverDatabase } from './failover-database.ts'
import { request } from './http.ts'
import { type LedgerClient, startLedgerClient } from './ledger-client.ts'
import { type NatsServer, startNatsServer } from './nats-server.ts'
import { type NodeProcess, type NodeProcessOptions, startNodeProcess } from './node-process.ts'
import { type QueueCut, readCuts } from './queue-cuts.ts'
import { createRecipients, crossingName, type FleetPerson } from './recipients.ts'
import { type Loss, SendHistory } from './send-history.ts'
import { startSenders } from './senders.ts'
import { bySize } from './size.ts'
import { startWriters } from './writers.ts'

export interface FleetOptions {
  /** Number of polling clients; by default 60 in the gate and 200 in the long lane. */
  clients?: number
  /** Changes per second on both nodes together, with twice as many messages; 0 for none. */
  perSecond?: number
  /** How long clients wait for a response before they try another node. */
  timeoutMs?: number
  /** Starts all clients on the first node, instead of every second client. */
  onOneNode?: boolean
  /** Starts a PostgreSQL that can crash and fail over, instead of using the server that tests share. */
  ownPostgres?: boolean
  nats?: boolean
  env?: Record<string, string>
}

export interface FleetCheck extends LedgerCheck {
  /** The longest time that any client was without events, in milliseconds. */
  longestPause: number
  /** Responses that no fault explains, from clients, writers and senders. */
  surprises: string[]
  messages: MessageCheck & {
    /** Messages that GET /messages lists wrongly, or not, after the check. */
    wronglyShown: number
  }
}

export interface Fleet extends AsyncDisposable {
  readonly nodes: NodeProcess[]
  readonly clients: LedgerClient[]
  readonly owner: Account
  readonly organization_id: number
  readonly postgres: FailoverDatabase | undefined
  readonly nats: NatsServer | undefined
  query: TestDatabase['query']
  /** Waits until a node is the sequencer, and returns its index in `nodes`. */
  sequencerIndex(): Promise<number>
  /** Records that messages acknowledged during this time may have been lost with a database. */
  noteLoss(loss: Loss): void
  /** Ends the node at this index, and starts another one on the same port. */
  replaceNode(index: number, env?: Record<string, string>): Promise<void>
  /** Waits until every client that is not paused has received this many more events, 10 by default. */
  waitForEvents(events?: number): Promise<void>
  /** Stops all changes, waits until clients have received them, checks every ledger, and starts changes again. */
  check(): Promise<FleetCheck>
}

const eventTypes = ['realm_user', 'custom_profile_fields', 'message']
const peopleCount = 40
/** Number of people who keep joining and leaving one stream. */
const rejoinerCount = 12

/**
 * Starts two nodes as processes, clients that poll them and record every event, and writers and senders that keep
 * changing data and sending messages until the fleet is disposed.
 */
export async function startFleet({
  clients: clientCount = bySize({ gate: 60, long: 200 }),
  perSecond = 8,
  timeoutMs = 3_500,
  onOneNode = false,
  ownPostgres = false,
  nats: withNats = false,
  env: common = {},
}: FleetOptions = {}): Promise<Fleet> {
  await using starting = new AsyncDisposableStack()
  const postgres = ownPostgres ? starting.use(await startFailoverDatabase('oxbow_fleet')) : undefined
  const { url: database_url } = postgres ?? starting.use(await createTestDatabase())
  const nats = withNats ? starting.use(await startNatsServer()) : undefined
  const { organization_id, owner, people } = await populate(database_url)
  const pool = new pg.Pool({ ...connectionOptions(database_url), max: 2 })
  pool.on('error', () => {})
  starting.defer(() => pool.end())
  const query: Fleet['query'] = async (text, values) => (await pool.query(text, values)).rows

  const usual = { ...(nats && { NATS_URL: nats.url }), ...common }
  const nodes = await Promise.all([0, 1].map(() => startNodeProcess({ database_url, env: usual })))
  starting.defer(async () => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
  })
  const urls = nodes.map((node) => node.url)
  const recipients = perSecond > 0 ? await createRecipients(query, urls[0] as string, owner, people) : []
  const bodies = new Map<string, string>()
  const clients = Array.from({ length: clientCount }, (_, index) =>
    startLedgerClient({
      urls: onOneNode || index % 2 === 0 ? urls : urls.toReversed(),
      account: people[index % people.length] as Account,
      event_types: eventTypes,
      // With 200 clients, one of the five clients of each person.
      all_public_streams: Math.floor(index / people.length) % 5 === 4,
      bodies,
      timeoutMs,
    }),
  )
  starting.defer(async () => {
    await Promise.all(clients.map((client) => client.stop()))
  })
  await eventually(() => clients.every((client) => client.cursor() !== undefined))

  const cuts = new Map<string, QueueCut>()
  // The row of a queue can be deleted before its ledger is checked.
  const reading = setInterval(() => readCuts(query, cuts).catch(() => {}), 1000)
  starting.defer(() => clearInterval(reading))
  const crossing = {
    name: crossingName,
    people: people.slice(0, rejoinerCount).filter(({ isGuest }) => !isGuest),
  }
  const write = () => startWriters({ urls, owner, people, crossing, perSecond })
  let writers = write()
  starting.defer(() => writers.stop())
  const history = new SendHistory()
  const send = () => startSenders({ urls, recipients, perSecond: 2 * perSecond, sends: history.sends })
  let senders = send()
  starting.defer(() => senders.stop())
  let newestChecked = 0
  let marks = 0

  /** Makes a change after all others and returns its number in the log. */
  async function writeMark(): Promise<number> {
    const full_name = `Mark ${++marks} of the fleet`
    await eventually(async () => {
      const responses = urls.map((url) =>
        request(url, {
          method: 'PATCH',
          path: `/api/v1/users/${owner.user_id}`,
          credentials: owner,
          form: { full_name },
        }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      )
      return (await Promise.all(responses)).some((isDone) => isDone)
    }, 60_000)
    return (await eventually(() => findLogged(query, full_name))).seq
  }

  const owned = starting.move()
  return {
    nodes,
    clients,
    owner,
    organization_id,
    postgres,
    nats,
    query,
    async sequencerIndex() {
      let found: unknown
      const findIndex = async () => {
        const sessions = await query<{ pid: number; granted: boolean | null }>(`
          select substring(a.application_name from '[0-9]+$')::int as pid, a.state, a.backend_start, l.granted
          from pg_stat_activity a left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.granted
          where a.datname = current_database() and a.application_name ~ '^oxbow sequencer [0-9]+$'`)
        found = sessions
        const holder = sessions.find(({ granted }) => granted)
        const index = nodes.findIndex((node) => node.pid === holder?.pid)
        return index >= 0 && { index }
      }
      try {
        const { index } = await eventually(() =>
          findIndex().catch((error: unknown) => {
            found = error
            return false as const
          }),
        )
        return index
      } catch (cause) {
        const pids = nodes.map(({ pid }) => pid)
        throw new Error(`none of the nodes ${pids} is the sequencer: ${inspect(found)}`, { cause })
      }
    },
    noteLoss: (loss) => history.losses.push(loss),
    async replaceNode(index, env = {}) {
      const old = nodes[index] as NodeProcess
      await old[Symbol.asyncDispose]()
      nodes[index] = await startWithRetries({ database_url, port: old.port, env: { ...usual, ...env } })
    },
    async waitForEvents(events = 10) {
      const before = clients.map((client) => client.received())
      await eventually(
        () =>
          clients.every(
            (client, index) => client.isPaused() || client.received() - (before[index] ?? 0) >= events,
          ),
        90_000,
      )
    },
    async check() {
      await Promise.all([writers.stop(), senders.stop()])
      const longestPause = Math.max(...clients.map((client) => client.longestPause()))
      const surprises = [...clients, writers, senders].flatMap((client) => client.surprises)
      const end = await writeMark()
      // The check itself reports clients that do not get there.
      await eventually(() => clients.every((client) => (client.cursor() ?? -1) >= end)).catch(() => {})
      await readCuts(query, cuts)
      const check = await checkLedgers(query, clients, cuts, end)
      const { check: sent, messages } = await checkMessages(query, history, clients, cuts, end)
      const wronglyShown = await countWronglyShown(urls, people, messages, newestChecked)
      newestChecked = messages.at(-1)?.id ?? newestChecked
      for (const client of clients) {
        client.forgetUpTo(end)
        client.forgetPauses()
        client.useFirstNode()
        client.surprises.length = 0
      }
      bodies.clear()
      writers = write()
      senders = send()
      const longest = Math.round(longestPause)
      return { ...check, longestPause: longest, surprises, messages: { ...sent, wronglyShown } }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Retries the start as a process manager does, because PostgreSQL or NATS may be unavailable for a moment. */
async function startWithRetries(options: NodeProcessOptions): Promise<NodeProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startNodeProcess(options)
    } catch (error) {
      if (attempt === 10) throw error
      await setTimeout(500)
    }
  }
}

async function populate(database_url: string) {
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config)
  try {
    const founder = { email: 'owner@garden.example', full_name: 'Olive Owner' }
    const owner = await createOrganization(app, {
      name: 'The Garden',
      subdomain: '',
      owner: founder,
      streams: false,
    })
    const people: FleetPerson[] = []
    for (let number = 1; number <= peopleCount; number++) {
      const role = number % 8 === 0 ? 'guest' : number % 8 === 1 ? 'administrator' : 'member'
      const newUser = {
        subdomain: '',
        email: `person${number}@garden.example`,
        full_name: `Person ${number}`,
      }
      const account = await addUserByOperator(app, { ...newUser, role })
      people.push({ ...account, isGuest: role === 'guest' })
    }
    return { organization_id: owner.organization_id, owner, people }
  } finally {
    await close()
  }
}
