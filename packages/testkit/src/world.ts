import { randomInt } from 'node:crypto'
import {
  type ArgumentsOf,
  type api,
  BotType,
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
} from '@oxbow/server'
import type { TestDatabase } from './databases.ts'
import { eventually } from './eventually.ts'
import { fetchAt } from './fetch-at.ts'
import type { LogCapture } from './log-capture.ts'
import { borrowServer, type NodeName, startServer } from './test-server.ts'

/** Someone with an account. Calls go to node a unless `on` says otherwise. */
export interface Person extends Client {
  readonly user_id: UserId
  readonly email: string
  readonly api_key: string
  readonly password: string
  on(node: NodeName): Client
}

export interface WorldOptions {
  /** Settings that differ from a test's usual ones. */
  config?: Partial<Config>
  /**
   * A database and nodes for this world alone: for tests that stop a node, look at the whole outbox, the whole server
   * or the first ids of a table. Other worlds share them with the test files that run before and after.
   */
  ownServer?: boolean
  /** Most tests need one organization, on the root host. */
  organization?: { name: string; subdomain: string }
  /** False: answers are not held against the contract, for events that it does not declare. */
  checked?: boolean
  /** The notification bot says what it has to say; in other worlds it would come between what a test looks at. */
  notices?: boolean
  /** Organizations begin with the streams that they usually begin with; in other worlds there are only a test's own. */
  firstStreams?: boolean
}

export interface StreamOptions
  extends Omit<ArgumentsOf<typeof api.subscriptions.subscribe>, 'subscriptions' | 'principals'> {
  /** Who makes it; the owner unless someone else is named. */
  by?: Person
  /** Who is in it; whoever makes it unless others are named. */
  members?: readonly Person[]
  description?: string
}

export interface MadeStream {
  stream_id: StreamId
  name: string
}

export interface World extends AsyncDisposable {
  readonly database: TestDatabase
  /** Where both nodes keep files. */
  readonly files_dir: string
  readonly nodes: Record<NodeName, Node>
  /** What both nodes logged. */
  readonly log: LogCapture
  readonly owner: Person
  readonly organization_id: number
  /** Members of these names. */
  people<Names extends string[]>(...names: Names): Promise<{ [Index in keyof Names]: Person }>
  person(name: string, role?: keyof typeof Role): Promise<Person>
  /** A bot of this person's. */
  bot(name: string, owner: Person, type?: BotType): Promise<Person>
  stream(name: string, options?: StreamOptions): Promise<MadeStream>
  /** Another organization in the same database, with an owner. */
  addOrganization(subdomain: string): Promise<{ organization_id: number; owner: Person }>
  anonymous(node?: NodeName): Client
  /** How many statements a test has sent to PostgreSQL that may change something without an event. */
  countWrites(): number
  /** Waits until both nodes know of every change that was made so far; memory may be a moment behind on the other one. */
  settled(): Promise<void>
}

/** What the command line calls each type. */
const typeNames: Record<BotType, string> = {
  [BotType.generic]: 'generic',
  [BotType.incomingWebhook]: 'incoming-webhook',
  [BotType.outgoingWebhook]: 'outgoing-webhook',
  [BotType.embedded]: 'embedded',
}

/** Starts a world for a test: two nodes, an organization at the root host, and people as they are called for. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { config = {}, organization, checked = true, notices = false, firstStreams = false } = options
  const isOrdinary = checked && !notices && Object.keys(config).length === 0
  const serve = isOrdinary && !options.ownServer ? borrowServer : startServer
  const server = await serve({ config, checked, idleJobs: notices ? [] : ['send-notices'] })
  const { database: given, nodes, log, files_dir } = server
  const { app } = nodes.a
  let writes = 0
  const query: TestDatabase['query'] = async (text, values) => {
    const rows = await given.query<never>(text, values)
    if (/^\s*select/i.test(text)) return rows
    writes++
    // What is changed behind the server's back is no record of the log, so nodes would not hear of it.
    for (const node of Object.values(nodes)) node.app.events.log.invalidateAll()
    return rows
  }
  const database = { ...given, query }

  const personFor = (
    account: { user_id: number; email: string; api_key: string },
    password: string,
    subdomain = '',
  ): Person => {
    const { user_id, email, api_key } = account
    const on = (node: NodeName) =>
      createClient({
        url: nodes[node].url,
        credentials: { email, api_key },
        ...(subdomain && { fetch: fetchAt(hostOf(subdomain)) }),
      })
    return { ...on('a'), user_id: user_id as UserId, email, api_key, password, on }
  }

  const found = async (subdomain: string, name: string) => {
    const owner = {
      email: `owner@${subdomain || 'root'}.example`,
      full_name: 'Olive Owner',
      password: 'plum tree 51 garden',
    }
    const created = await createOrganization(app, { name, subdomain, owner, streams: firstStreams })
    return { organization_id: created.organization_id, owner: personFor(created, owner.password, subdomain) }
  }

  const root = await found(organization?.subdomain ?? '', organization?.name ?? 'The Garden')
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
    // Embedded bots exist in older databases, but none can be created any more.
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
    { by = root.owner, members = [by], description, ...given } = {},
  ) => {
    await by.subscriptions.subscribe({
      subscriptions: [{ name, ...(description !== undefined && { description }) }],
      principals: members.map(({ user_id }) => user_id),
      ...given,
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
    addOrganization: (subdomain) => found(subdomain, `The ${subdomain} team`),
    countWrites: () => writes,
    settled: async () => {
      await eventually(async () => (await given.query('select from outbox limit 1')).length === 0, 30_000)
      const heads = await given.query<{ organization_id: OrganizationId; last_seq: number }>(
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
    [Symbol.asyncDispose]: () => server.release(),
  }
}

/** The test's root host is localhost. */
export const hostOf = (subdomain: string): string => `${subdomain}.localhost`
