import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import * as currentServer from '@oxbow/server'
import pg from 'pg'
import type { Account } from './account.ts'
import { checkLedgers, type LedgerCheck } from './check-ledgers.ts'
import { checkMessages, type MessageCheck } from './check-messages.ts'
import { countListingMismatches } from './check-shown.ts'
import { createTestDatabase, type TestDatabase, testSecret } from './databases.ts'
import { findLogged } from './event-log.ts'
import { eventually } from './eventually.ts'
import { type FailoverDatabase, startFailoverDatabase } from './failover-database.ts'
import { request } from './http.ts'
import { type LedgerClient, startLedgerClient } from './ledger-client.ts'
import { type NatsServer, startNatsServer } from './nats-server.ts'
import { type NodeProcess, type NodeProcessOptions, startNodeProcess } from './node-process.ts'
import type { Release } from './previous-release.ts'
import { type QueueCut, readCuts } from './queue-cuts.ts'
import { createRecipients, crossingName, type FleetPerson } from './recipients.ts'
import { type Loss, SendHistory } from './send-history.ts'
import { startSenders } from './senders.ts'
import { bySize } from './size.ts'
import { patientLimits } from './test-server.ts'
import { startWriters } from './writers.ts'

export interface FleetOptions {
  /** Number of polling clients. By default 60 in the gate and 200 in the long lane. */
  clients?: number
  /** Number of changes per second on both nodes together. Twice as many messages are sent. 0 for none. */
  perSecond?: number
  /** How long clients wait for a response before they try another node. */
  timeoutMs?: number
  /** Starts all clients on the first node, instead of half of them. */
  onOneNode?: boolean
  /** Starts a separate PostgreSQL that can crash and fail over, instead of using the shared test server. */
  ownPostgres?: boolean
  /** An empty database, instead of one that the fleet creates. */
  database_url?: string
  /** The release that creates the database and runs both nodes. By default the current sources. */
  release?: Release
  nats?: boolean
  env?: Record<string, string>
}

interface Replacement {
  env?: Record<string, string>
  /** The release of the new node. By default the current sources. */
  release?: Release | undefined
  /** Stops the old node with SIGTERM and waits for its end, instead of killing it. */
  isGraceful?: boolean
}

export interface FleetCheck extends LedgerCheck {
  /** The longest time that a client received no events, in milliseconds. */
  longestPause: number
  /** Error responses to clients, writers and senders that no injected fault explains. */
  unexplainedErrors: string[]
  messages: MessageCheck & {
    /** Number of messages that GET /messages wrongly lists or does not list, after the check. */
    listingMismatches: number
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
  /** Records that messages acknowledged in this time may have been lost with a database. */
  noteLoss(loss: Loss): void
  /** Stops the node at this index, and starts another one on the same port. */
  replaceNode(index: number, replacement?: Replacement): Promise<void>
  /** Waits until all clients that are not paused have received this many more events, 10 by default. */
  waitForEvents(events?: number): Promise<void>
  /**
   * Stops all changes, waits until clients have received them, checks all ledgers, and starts
   * changes again.
   */
  check(): Promise<FleetCheck>
}

const eventTypes = ['realm_user', 'custom_profile_fields', 'message']
const peopleCount = 40
/** Number of people who keep joining and leaving one stream. */
const rejoinerCount = 12

/**
 * Starts two nodes as processes, clients that poll them and record all events, and writers and
 * senders that change data and send messages until the fleet is disposed.
 */
export async function startFleet({
  clients: clientCount = bySize({ gate: 60, long: 200 }),
  perSecond = 8,
  timeoutMs = 3_500,
  onOneNode = false,
  ownPostgres = false,
  database_url: givenUrl,
  release,
  nats: withNats = false,
  env: common = {},
}: FleetOptions = {}): Promise<Fleet> {
  await using starting = new AsyncDisposableStack()
  const postgres = ownPostgres ? starting.use(await startFailoverDatabase('oxbow_fleet')) : undefined
  const database_url =
    givenUrl ?? (postgres ?? starting.use(await createTestDatabase({ isEmpty: release !== undefined }))).url
  const nats = withNats ? starting.use(await startNatsServer()) : undefined
  const { organization_id, owner, people } = await populate(release?.server ?? currentServer, database_url)
  const pool = new pg.Pool({ ...currentServer.connectionOptions(database_url), max: 2 })
  pool.on('error', () => {})
  starting.defer(() => pool.end())
  const query: Fleet['query'] = async (text, values) => (await pool.query(text, values)).rows

  const usual = { ...(nats && { NATS_URL: nats.url }), ...common }
  const program = release?.program
  const nodes = await Promise.all([0, 1].map(() => startNodeProcess({ database_url, program, env: usual })))
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
      // With 200 clients, this is one of the five clients of each person.
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
  // Rows are read repeatedly, because a queue can be deleted before its ledger is checked.
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

  /** Makes one more change after all others have stopped, and returns its number in the log. */
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
    async replaceNode(index, { env = {}, release: next, isGraceful = false } = {}) {
      const old = nodes[index] as NodeProcess
      if (isGraceful) {
        old.signal('SIGTERM')
        await old.exited
      }
      await old[Symbol.asyncDispose]()
      const { port } = old
      const program = next?.program
      nodes[index] = await startWithRetries({ database_url, port, program, env: { ...usual, ...env } })
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
      const unexplainedErrors = [...clients, writers, senders].flatMap((client) => client.unexplainedErrors)
      const end = await writeMark()
      // If a client does not reach the mark, the check reports its missing events.
      await eventually(() => clients.every((client) => (client.cursor() ?? -1) >= end)).catch(() => {})
      await readCuts(query, cuts)
      const check = await checkLedgers(query, clients, cuts, end)
      const { check: sent, messages } = await checkMessages(query, history, clients, cuts, end)
      const listingMismatches = await countListingMismatches(urls, people, messages, newestChecked)
      newestChecked = messages.at(-1)?.id ?? newestChecked
      for (const client of clients) {
        client.forgetUpTo(end)
        client.forgetPauses()
        client.useFirstNode()
        client.unexplainedErrors.length = 0
      }
      bodies.clear()
      writers = write()
      senders = send()
      const longest = Math.round(longestPause)
      return { ...check, longestPause: longest, unexplainedErrors, messages: { ...sent, listingMismatches } }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Retries the start like a process manager, because PostgreSQL or NATS may be unavailable for a moment. */
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

async function populate(server: Release['server'], database_url: string) {
  const { addUserByOperator, createOrganization, loadConfig, openApp } = server
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config, patientLimits)
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
