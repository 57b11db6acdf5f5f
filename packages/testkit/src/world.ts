import { randomInt } from 'node:crypto'
import {
  type ArgumentsOf,
  type api,
  BotType,
  type Generation,
  type OrganizationId,
  type Role,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import {
  addBotByOperator,
  addUserByOperator,
  type Config,
  createBotCatalog,
  createOrganization,
  type Node,
  type ResolveHost,
} from '@oxbow/server'
import type { TestDatabase } from './databases.ts'
import { eventually } from './eventually.ts'
import { fetchAt } from './fetch-at.ts'
import type { LogCapture } from './log-capture.ts'
import { borrowServer, type NodeName, startServer } from './test-server.ts'

/** A client with an account. Calls are sent to node a; `on` returns a client for another node. */
export interface Person extends Client {
  readonly user_id: UserId
  readonly email: string
  readonly api_key: string
  readonly password: string
  /** Returns a client of this account at a node, for the newest generation of the protocol by default. */
  on(node: NodeName, generation?: Generation): Client
}

export interface WorldOptions {
  /** Settings that differ from the test defaults. */
  config?: Partial<Config>
  /**
   * Starts a separate database and nodes for this world. Needed by tests that stop a node, or
   * depend on the whole outbox, the whole server or the first ids of a table. Without it, test files
   * of the same process share a database and nodes, unless `config`, `checked`, `notices`, `resolveHost`,
   * `monitorMs`, `databaseTimeoutMs` or `adHocTimeoutMs` is given.
   */
  ownServer?: boolean
  /** The first organization. By default, it is at the root host. */
  organization?: { name: string; subdomain: string }
  /**
   * False if responses are not validated against the contract, for tests of events that the
   * contract does not declare.
   */
  checked?: boolean
  /** Whether the notification bot sends its messages, which would disturb most tests. */
  notices?: boolean
  /**
   * Whether the organization gets the default streams of new organizations. Otherwise it has only
   * the streams that the test creates.
   */
  firstStreams?: boolean
  /** Resolves the host names of outgoing requests, like the `resolveHost` of `startDnsServer`. */
  resolveHost?: ResolveHost
  /** Interval at which the nodes observe themselves. */
  monitorMs?: number
  /** How long nodes wait for PostgreSQL, and transactions may pause; a minute by default. */
  databaseTimeoutMs?: number
  /** How long a search and other reads of messages may take; a minute by default, 2 s in production. */
  adHocTimeoutMs?: number
}

export interface StreamOptions
  extends Omit<ArgumentsOf<typeof api.subscriptions.subscribe>, 'subscriptions' | 'principals'> {
  /** Creator of the stream. The owner of the organization by default. */
  by?: Person
  /** Subscribers of the stream. Only the creator by default. */
  members?: readonly Person[]
  description?: string
}

export interface MadeStream {
  stream_id: StreamId
  name: string
}

export interface World extends AsyncDisposable {
  readonly database: TestDatabase
  /** Directory in which both nodes store files. */
  readonly files_dir: string
  readonly nodes: Record<NodeName, Node>
  /** Log lines of both nodes. */
  readonly log: LogCapture
  readonly owner: Person
  readonly organization_id: number
  /** Creates members with these names. */
  people<Names extends string[]>(...names: Names): Promise<{ [Index in keyof Names]: Person }>
  person(name: string, role?: keyof typeof Role): Promise<Person>
  /** Creates a bot with this owner. */
  bot(name: string, owner: Person, type?: BotType): Promise<Person>
  stream(name: string, options?: StreamOptions): Promise<MadeStream>
  /** Creates another organization with an owner in the same database. */
  addOrganization(subdomain: string): Promise<{ organization_id: number; owner: Person }>
  anonymous(node?: NodeName): Client
  /**
   * Returns how many statements other than SELECT the test has sent to PostgreSQL. They change data
   * without events.
   */
  countWrites(): number
  /** Calls the function before each statement other than SELECT that the test sends, and before the world ends. */
  beforeWrites(listener: () => Promise<void>): void
  /**
   * Waits until both nodes have followed the log to its current head, so that their caches are up
   * to date.
   */
  settled(): Promise<void>
}

/** Bot types as they are named on the command line. */
const typeNames: Record<BotType, string> = {
  [BotType.generic]: 'generic',
  [BotType.incomingWebhook]: 'incoming-webhook',
  [BotType.outgoingWebhook]: 'outgoing-webhook',
  [BotType.embedded]: 'embedded',
}

/** Starts a world for a test: two nodes, and an organization at the root host with its owner. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { config = {}, organization, checked = true, notices = false, firstStreams = false } = options
  const { resolveHost, monitorMs, databaseTimeoutMs, adHocTimeoutMs } = options
  const isOrdinary =
    checked &&
    !notices &&
    !resolveHost &&
    !monitorMs &&
    !databaseTimeoutMs &&
    !adHocTimeoutMs &&
    Object.keys(config).length === 0
  const isShared = isOrdinary && !options.ownServer
  const serve = isShared ? borrowServer : startServer
  const idleJobs = notices ? [] : ['send-notices', 'send-notices-of-bot']
  const limits = { databaseTimeoutMs, adHocTimeoutMs }
  const server = await serve({ config, checked, idleJobs, resolveHost, monitorMs, ...limits })
  const { database: templateDatabase, nodes, log, files_dir } = server
  const { app } = nodes.a
  let writes = 0
  const writeListeners: (() => Promise<void>)[] = []
  const query: TestDatabase['query'] = async (text, values) => {
    const isRead = /^\s*select/i.test(text)
    // Plans made with statistics would stay in the sessions of the nodes, and be wrong for later files.
    if (isShared && /^\s*(vacuum|analyze)\b/i.test(text))
      throw new Error('Statistics can be collected only with `ownServer: true`.')
    if (!isRead) for (const listener of writeListeners) await listener()
    const rows = await templateDatabase.query<never>(text, values)
    if (isRead) return rows
    writes++
    // A change by SQL writes no record to the log, so the caches of the nodes must be invalidated here.
    for (const node of Object.values(nodes)) node.app.events.log.invalidateAll()
    return rows
  }
  const database = { ...templateDatabase, query }

  const personFor = (
    account: { user_id: number; email: string; api_key: string },
    password: string,
    subdomain = '',
  ): Person => {
    const { user_id, email, api_key } = account
    const on: Person['on'] = (node, generation) =>
      createClient({
        url: nodes[node].url,
        credentials: { email, api_key },
        ...(generation && { generation }),
        ...(subdomain && { fetch: fetchAt(hostOf(subdomain)) }),
      })
    return { ...on('a'), user_id: user_id as UserId, email, api_key, password, on }
  }

  const createOrganizationWithOwner = async (subdomain: string, name: string) => {
    const owner = {
      email: `owner@${subdomain || 'root'}.example`,
      full_name: 'Olive Owner',
      password: 'plum tree 51 garden',
    }
    const created = await createOrganization(app, { name, subdomain, owner, streams: firstStreams })
    return { organization_id: created.organization_id, owner: personFor(created, owner.password, subdomain) }
  }

  const root = await createOrganizationWithOwner(
    organization?.subdomain ?? '',
    organization?.name ?? 'The Garden',
  )
  const person: World['person'] = async (name, role = 'member') => {
    const password = `a long password of ${name} ${randomInt(1e9)}`
    const email = `${name}@garden.example`
    const full_name = `${name[0]?.toUpperCase()}${name.slice(1)} Gardener`
    const subdomain = organization?.subdomain ?? ''
    const account = await addUserByOperator(app, { subdomain, email, full_name, role, password })
    return personFor(account, password, subdomain)
  }
  const bot: World['bot'] = async (name, owner, type = BotType.generic) => {
    const subdomain = organization?.subdomain ?? ''
    // Older databases contain embedded bots, but they can no longer be created.
    const isEmbedded = type === BotType.embedded
    const account = await addBotByOperator(app, createBotCatalog([]), {
      subdomain,
      origin: 'http://garden.example',
      name: `${name} bot`,
      short_name: name,
      type: typeNames[isEmbedded ? BotType.generic : type],
      owner: owner.email,
      ...(type === BotType.outgoingWebhook && { payload_url: 'https://service.example/' }),
    })
    if (isEmbedded)
      await database.query('update user_account set bot_type = $2 where id = $1', [account.user_id, type])
    return personFor(account, '', subdomain)
  }
  const stream: World['stream'] = async (
    name,
    { by = root.owner, members = [by], description, ...options } = {},
  ) => {
    await by.subscriptions.subscribe({
      subscriptions: [{ name, ...(description !== undefined && { description }) }],
      principals: members.map(({ user_id }) => user_id),
      ...options,
    })
    const [row] = await database.query<{ id: number }>(
      'select id::int from stream where organization_id = $1 and name = $2',
      [root.organization_id, name],
    )
    return { stream_id: row?.id as StreamId, name }
  }
  return {
    ...root,
    stream,
    database,
    files_dir,
    nodes,
    log,
    person,
    bot,
    people: (async (...names: string[]) => {
      const people: Person[] = []
      for (const name of names) people.push(await person(name))
      return people
    }) as World['people'],
    addOrganization: (subdomain) => createOrganizationWithOwner(subdomain, `The ${subdomain} team`),
    countWrites: () => writes,
    beforeWrites: (listener) => void writeListeners.push(listener),
    settled: async () => {
      await eventually(async () => (await templateDatabase.query('select from outbox limit 1')).length === 0)
      const heads = await templateDatabase.query<{ organization_id: OrganizationId; last_seq: number }>(
        'select organization_id, last_seq from event_head where organization_id >= $1',
        [root.organization_id],
      )
      for (const { app } of Object.values(nodes)) {
        for (const { organization_id, last_seq } of heads) {
          const followed = () => app.events.log.organizations.get(organization_id)
          await eventually(() => (followed()?.position ?? last_seq) >= last_seq)
        }
      }
    },
    anonymous: (node = 'a') => createClient({ url: nodes[node].url }),
    [Symbol.asyncDispose]: async () => {
      try {
        for (const listener of writeListeners) await listener()
      } finally {
        await server.release()
      }
    },
  }
}

/** Returns the host of an organization. The root host of tests is localhost. */
export const hostOf = (subdomain: string): string => `${subdomain}.localhost`
