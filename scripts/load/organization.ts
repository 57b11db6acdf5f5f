import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  connectionOptions,
  createOrganization,
  loadConfig,
  migrateDatabase,
  openApp,
  schemaVersion,
} from '@oxbow/server'
import { type Account, testSecret, urlOf } from '@oxbow/testkit'
import { Dice } from '@oxbow/testkit/seed'
import pg from 'pg'
import { print } from '../bench/figures.ts'
import type { Scenario } from './scenario.ts'

export interface LoadStream {
  id: number
  /** Positions in the list of people. */
  members: number[]
}

/** An organization in a database of its own, which is dropped at the end. */
export interface LoadOrganization extends AsyncDisposable {
  database_url: string
  people: Account[]
  /** The first has everyone. */
  streams: LoadStream[]
  /** Session of the kit, whose processor time is not counted. */
  session: pg.Client
}

export const topics = ['standup', 'release', 'incidents', 'lunch', 'reviews', 'planning']

/** A name that is equal for organizations that are built alike. */
function templateName({ organization, seed }: Scenario): string {
  const made = JSON.stringify([
    organization,
    seed,
    schemaVersion(),
    readFileSync(import.meta.filename, 'utf8'),
  ])
  return `oxbow_load_${createHash('sha256').update(made).digest('hex').slice(0, 16)}`
}

/**
 * Clones the scenario's organization from its template, which is built with SQL when it is first used. Templates stay
 * on the server; their names begin with `oxbow_load_`.
 */
export async function openOrganization(scenario: Scenario): Promise<LoadOrganization> {
  const template = templateName(scenario)
  const name = `oxbow_loaded_${process.pid}`
  await administrate(async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (!rowCount) await buildTemplate(client, template, scenario)
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name} template ${template} strategy file_copy`)
  })
  const session = await connect(name)
  const { rows: people } = await session.query<Account>(
    `select organization_id::int, id::int as user_id, delivery_email as email,
       rpad('key' || substring(delivery_email from 'clerk([0-9]+)@'), 32, 'x') as api_key
     from user_account where delivery_email like 'clerk%' order by id`,
  )
  const positions = new Map(people.map(({ user_id }, index) => [user_id, index]))
  const { rows: streams } = await session.query<{ id: number; members: number[] }>(
    `select stream_id::int as id, array_agg(user_id::int order by user_id) as members from subscription
     group by 1 order by 1`,
  )
  return {
    database_url: urlOf(name),
    people,
    streams: streams.map(({ id, members }) => ({
      id,
      members: members.flatMap((user) => positions.get(user) ?? []),
    })),
    session,
    async [Symbol.asyncDispose]() {
      await session.end()
      await administrate((client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Opens a session without time limits. */
async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionOptions(urlOf(database)),
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
  })
  await client.connect()
  return client
}

async function administrate<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect('postgres')
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function buildTemplate(administrator: pg.Client, template: string, scenario: Scenario): Promise<void> {
  const start = performance.now()
  const making = `${template}_making`
  await administrator.query(`drop database if exists ${making} with (force)`)
  await administrator.query(`create database ${making}`)
  const { config } = loadConfig({ database_url: urlOf(making), secret: testSecret, log_level: 'silent' }, {})
  await migrateDatabase(config)
  const { app, close } = await openApp(config)
  const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
  const { organization_id } = await createOrganization(app, {
    name: 'The Garden',
    subdomain: '',
    owner,
    streams: false,
  })
  const session = await connect(making)
  try {
    await session.query('set synchronous_commit = off')
    const users = await insertPeople(session, organization_id, scenario.organization.people, (key) =>
      app.secrets.hash(key),
    )
    const streams = await insertStreams(session, organization_id, users, scenario)
    await insertHistory(session, organization_id, streams, scenario)
    await setReadPositions(session, organization_id, scenario)
    await session.query('vacuum analyze')
  } finally {
    await session.end()
    await close()
  }
  await administrator.query(`alter database ${making} rename to ${template}`)
  print(`built the organization in ${((performance.now() - start) / 1000).toFixed(0)} s`)
}

async function insertPeople(
  session: pg.Client,
  organization_id: number,
  count: number,
  hash: (key: string) => Buffer,
): Promise<number[]> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const { rows } = await session.query<{ id: number }>(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
       select $1, 'clerk' || number || '@garden.example', 'Clerk ' || number, 400, hash, ''
       from unnest($2::int[], $3::bytea[]) as clerk (number, hash) order by number
       returning organization_id, id
     ), setting as (
       insert into user_setting (organization_id, user_id) select organization_id, id from account
     ), period as (
       insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
       select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
     )
     select id::int from account order by id`,
    [organization_id, numbers, numbers.map((number) => hash(`key${number}`.padEnd(32, 'x')))],
  )
  return rows.map(({ id }) => id)
}

/** Creates public streams whose sizes follow Zipf's law, and subscribes random people. */
async function insertStreams(
  session: pg.Client,
  organization_id: number,
  users: readonly number[],
  { seed, organization: { streams } }: Scenario,
): Promise<number[]> {
  const { rows } = await session.query<{ id: number }>(
    `insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
       history_public_to_subscribers, stream_post_policy)
     select $1, 'team ' || rank, 'team ' || rank, 'Where things grow.', '<p>Where things grow.</p>', false, true, 1
     from generate_series(1, $2::int) as rank returning id::int`,
    [organization_id, streams.count],
  )
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  const dice = new Dice(seed)
  const pairs = ids.flatMap((id, index) => {
    const size = Math.max(streams.smallest, Math.round(users.length * (index + 1) ** -streams.zipf))
    const members = new Set<number>(size >= users.length ? users : [])
    while (members.size < Math.min(size, users.length)) members.add(dice.pick(users))
    return [...members].map((user) => [id, user] as const)
  })
  await session.query(
    `with pair as materialized (select * from unnest($2::bigint[], $3::bigint[]) as pair (stream_id, user_id)),
     subscribed as (
       insert into subscription (organization_id, user_id, stream_id, is_active, color)
       select $1, user_id, stream_id, true, '#c2c2c2' from pair
     )
     insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
     select $1, user_id, stream_id, bound.outbox, bound.message
     from pair, (select nextval('outbox_id') as outbox, nextval('message_id') as message) as bound`,
    [organization_id, pairs.map(([stream]) => stream), pairs.map(([, user]) => user)],
  )
  return ids
}

/** Inserts messages of the past year. Small streams have fewer messages than large ones. */
async function insertHistory(
  session: pg.Client,
  organization_id: number,
  streams: readonly number[],
  { organization: { history } }: Scenario,
): Promise<void> {
  await session.query('select setseed(0.5)')
  await session.query(
    `insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
       rendered_content, words, topic_words)
     select $1, id, stream, stream, id, 1, sender.user_id, now() - (last - number) * interval '1 year' / last, false, false,
       false, false, false, 'website', topic, topic, text, '<p>' || text || '</p>', '{}', '{}'
     from (
       select nextval('message_id') as id, number, $2::int as last,
         ($3::bigint[])[ceil(random() ^ 2 * ${streams.length})::int] as stream,
         ($4::text[])[ceil(random() * ${topics.length})::int] as topic, random() as lot,
         'Message ' || number || ': the roses by the south wall want pruning before the first frost.' as text
       from generate_series(1, $2::int) as number
     ) as drawn
     cross join lateral (
       select user_id from subscription s where s.organization_id = $1 and s.stream_id = drawn.stream
       order by user_id offset floor(lot * 8) limit 1
     ) as sender`,
    [organization_id, history.messages, streams, topics],
  )
  await session.query(
    `update stream s set first_message_id = (
       select id from message m where m.organization_id = $1 and m.sent_recipient_id = s.id order by id limit 1)
     where organization_id = $1`,
    [organization_id],
  )
}

/** The 99th percentile of the standard normal distribution. */
const normalP99 = 2.326

/** Gives each person a number of unread messages, which has a log-normal distribution. */
async function setReadPositions(
  session: pg.Client,
  organization_id: number,
  { organization: { history } }: Scenario,
): Promise<void> {
  if (history.messages === 0 || history.unreadMedian === 0) return
  const spread = Math.log(history.unreadP99 / history.unreadMedian) / normalP99
  await session.query(
    `with size as (
       select sent_recipient_id as stream_id, count(*) as messages from message where organization_id = $1 group by 1
     ), head as (
       select max(id) as id from message where organization_id = $1
     ), drawn as materialized (
       select user_id, sum(messages) as own,
         $2::float8 * exp($3::float8 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) as unread
       from subscription join size using (stream_id) where organization_id = $1 group by user_id
     )
     update subscription s set read_to = greatest(0, head.id - drawn.unread / drawn.own * $4::float8)::bigint
     from drawn, head where s.organization_id = $1 and s.user_id = drawn.user_id`,
    [organization_id, history.unreadMedian, spread, history.messages],
  )
}
