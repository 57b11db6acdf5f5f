import { setTimeout } from 'node:timers/promises'
import { addUserByOperator, connectionOptions, createOrganization, loadConfig, openApp } from '@oxbow/server'
import pg from 'pg'
import { checkLedgers, findLogged, type LedgerCheck, type QueueCut, readCuts } from './check-ledgers.ts'
import { createTestDatabase, type TestDatabase, testSecret } from './databases.ts'
import { eventually } from './eventually.ts'
import { type FailoverDatabase, startFailoverDatabase } from './failover-database.ts'
import { request } from './http.ts'
import { type LedgerClient, startLedgerClient } from './ledger-client.ts'
import { type NatsServer, startNatsServer } from './nats-server.ts'
import { type NodeProcess, type NodeProcessOptions, startNodeProcess } from './node-process.ts'
import { startWriters } from './writers.ts'

export interface FleetOptions {
  /** Polling clients; 200 where nothing is said. */
  clients?: number
  /** Changes a second, on both nodes together; 0 for none. */
  perSecond?: number
  /** How long clients wait for an answer before they ask another node. */
  patience?: number
  /** Let all clients begin on the first node, rather than every second one. */
  onOneNode?: boolean
  /** A database that can break down and fail over, rather than one on the server of all tests. */
  ownPostgres?: boolean
  nats?: boolean
  env?: Record<string, string>
}

export interface FleetCheck extends LedgerCheck {
  /** The longest time that any client was without events, in milliseconds. */
  longestPause: number
  /** Answers that no fault explains, from clients and writers. */
  surprises: string[]
}

export interface Account {
  user_id: number
  email: string
  api_key: string
}

export interface Fleet extends AsyncDisposable {
  readonly nodes: NodeProcess[]
  readonly clients: LedgerClient[]
  readonly owner: Account
  readonly organization_id: number
  readonly postgres: FailoverDatabase | undefined
  readonly nats: NatsServer | undefined
  query: TestDatabase['query']
  /** The place of the node that numbers events now. */
  sequencerPlace(): Promise<number>
  /** Starts a node anew where this one was. */
  replaceNode(place: number, env?: Record<string, string>): Promise<void>
  /** Waits until every client that does not stand still has got some more events, however that comes about. */
  flow(events?: number): Promise<void>
  /** Lets the changes end, waits for all clients to have all of them, looks at every ledger, and lets changes go on. */
  check(): Promise<FleetCheck>
}

const eventTypes = ['realm_user', 'custom_profile_fields']
const peopleCount = 40

/** Two nodes as processes, clients that poll them and keep ledgers, and constant change. */
export async function startFleet({
  clients: clientCount = 200,
  perSecond = 12,
  patience = 3_500,
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
  const bodies = new Map<string, string>()
  const clients = Array.from({ length: clientCount }, (_, index) =>
    startLedgerClient({
      urls: onOneNode || index % 2 === 0 ? urls : urls.toReversed(),
      account: people[index % people.length] as Account,
      event_types: eventTypes,
      bodies,
      patience,
    }),
  )
  starting.defer(async () => {
    await Promise.all(clients.map((client) => client.stop()))
  })
  await eventually(() => clients.every((client) => client.cursor() !== undefined), 60_000)

  const cuts = new Map<string, QueueCut>()
  // A queue's row can be gone by the time its ledger is checked.
  const reading = setInterval(() => readCuts(query, cuts).catch(() => {}), 1000)
  starting.defer(() => clearInterval(reading))
  const write = () => startWriters({ urls, owner, people: people.map(({ user_id }) => user_id), perSecond })
  let writers = write()
  starting.defer(() => writers.stop())
  let marks = 0

  /** A change after all others; its number in the log. */
  async function mark(): Promise<number> {
    const full_name = `Mark ${++marks} of the fleet`
    await eventually(async () => {
      const answers = urls.map((url) =>
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
      return (await Promise.all(answers)).some((isDone) => isDone)
    }, 20_000)
    return (await eventually(() => findLogged(query, full_name), 20_000)).seq
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
    async sequencerPlace() {
      return eventually(async () => {
        const [holder] = await query<{ pid: number }>(`
          select substring(a.application_name from '[0-9]+$')::int as pid
          from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and l.granted and a.datname = current_database()
            and a.application_name ~ '^oxbow sequencer [0-9]+$'`).catch(() => [])
        const place = nodes.findIndex((node) => node.pid === holder?.pid)
        return place >= 0 && { place }
      }).then(({ place }) => place)
    },
    async replaceNode(place, env = {}) {
      const old = nodes[place] as NodeProcess
      await old[Symbol.asyncDispose]()
      nodes[place] = await startAgain({ database_url, port: old.port, env: { ...usual, ...env } })
    },
    async flow(events = 10) {
      const before = clients.map((client) => client.received())
      await eventually(
        () =>
          clients.every(
            (client, index) => client.isHeld() || client.received() - (before[index] ?? 0) >= events,
          ),
        30_000,
      )
    },
    async check() {
      await writers.stop()
      const longestPause = Math.max(...clients.map((client) => client.longestPause()))
      const surprises = [...clients, writers].flatMap((each) => each.surprises)
      const end = await mark()
      // Those who do not get there are found by the check itself.
      await eventually(() => clients.every((client) => (client.cursor() ?? -1) >= end), 20_000).catch(
        () => {},
      )
      await readCuts(query, cuts)
      const check = await checkLedgers(query, clients, cuts, end)
      for (const client of clients) {
        client.forgetUpTo(end)
        client.forgetPauses()
        client.goHome()
        client.surprises.length = 0
      }
      bodies.clear()
      writers = write()
      return { ...check, longestPause: Math.round(longestPause), surprises }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** As whatever looks after processes does: what a node needs to start may be away for a moment. */
async function startAgain(options: NodeProcessOptions): Promise<NodeProcess> {
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
    const owner = await createOrganization(app, { name: 'The Garden', subdomain: '', owner: founder })
    const people: Account[] = []
    for (let number = 1; number <= peopleCount; number++) {
      const role = number % 8 === 0 ? 'guest' : number % 8 === 1 ? 'administrator' : 'member'
      const given = { subdomain: '', email: `person${number}@garden.example`, full_name: `Person ${number}` }
      people.push(await addUserByOperator(app, { ...given, role }))
    }
    return { organization_id: owner.organization_id, owner, people }
  } finally {
    await close()
  }
}
