import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArgumentsOf, api, BotType, OrganizationId, Role, StreamId, UserId } from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import {
  addUserByOperator,
  type Config,
  createOrganization,
  loadConfig,
  type Node,
  startNode,
} from '@oxbow/server'
import { createTestDatabase, type TestDatabase, testSecret } from './databases.ts'
import { eventually } from './eventually.ts'
import { fetchAt } from './fetch-at.ts'
import { LogCapture } from './log-capture.ts'

export type NodeName = 'a' | 'b'

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
  /** Waits until both nodes know of every change that was made so far; memory may be a moment behind on the other one. */
  settled(): Promise<void>
}

const usual: Partial<Config> = {
  host: '127.0.0.1',
  port: 0,
  secret: testSecret,
  rate_limit_per_minute: 0,
  log_level: 'info',
  database_pool_size: 5,
}

/** A whole world for a test: a database of its own, two nodes, and people as they are called for. */
export async function startWorld({
  config: different = {},
  organization,
  checked = true,
  notices = false,
  firstStreams = false,
}: WorldOptions = {}): Promise<World> {
  const given = await createTestDatabase()
  const log = new LogCapture()
  const files_dir = join(tmpdir(), `oxbow-files-${randomUUID()}`)
  const { config } = loadConfig({ ...usual, files_dir, ...different, database_url: given.url }, {})
  const idleJobs = notices ? [] : ['send-notices']
  const start = () => startNode(config, { logTo: log, passwordCost: 'cheap', checked, idleJobs })
  const nodes = { a: await start(), b: await start() }
  const { app } = nodes.a
  const query: TestDatabase['query'] = async (text, values) => {
    const rows = await given.query<never>(text, values)
    // What is changed behind the server's back is no record of the log, so nodes would not hear of it.
    if (!/^\s*select/i.test(text)) for (const node of Object.values(nodes)) node.app.events.log.forgetAll()
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
  const bot: World['bot'] = async (name, owner, type = 1) => {
    const email = `${name}-bot@garden.example`
    const api_key = randomBytes(16).toString('hex')
    const { secrets } = app
    const [row] = await database.query<{ id: number }>(
      `with bot as (
         insert into user_account (organization_id, delivery_email, full_name, role, bot_type, bot_owner_id, api_key_hash, api_key_sealed)
         values ($1, $2, $3, 400, $4, $5, $6, $7) returning organization_id, id),
       settings as (
         insert into user_setting (organization_id, user_id) select organization_id, id from bot),
       period as (
         insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
         select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from bot)
       select id::int from bot`,
      [
        root.organization_id,
        email,
        `${name} bot`,
        type,
        owner.user_id,
        secrets.hash(api_key),
        secrets.encrypt(api_key),
      ],
    )
    return personFor({ user_id: row?.id ?? 0, email, api_key }, '', organization?.subdomain)
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
    settled: async () => {
      await eventually(async () => (await given.query('select from outbox limit 1')).length === 0)
      const heads = await given.query<{ organization_id: OrganizationId; last_seq: number }>(
        'select organization_id, last_seq from event_head',
      )
      for (const { app } of Object.values(nodes)) {
        for (const { organization_id, last_seq } of heads) {
          const followed = () => app.events.log.organizations.get(organization_id)
          await eventually(() => (followed()?.position ?? last_seq) >= last_seq)
        }
      }
    },
    anonymous: (node = 'a') => createClient({ url: nodes[node].url }),
    async [Symbol.asyncDispose]() {
      await Promise.all([nodes.a.stop(), nodes.b.stop()])
      await given[Symbol.asyncDispose]()
      await rm(files_dir, { recursive: true, force: true })
    },
  }
}

/** The test's root host is localhost. */
export const hostOf = (subdomain: string): string => `${subdomain}.localhost`
