import { connectionOptions, loadConfig, openApp } from '@oxbow/server'
import { type Account, testSecret } from '@oxbow/testkit'
import pg from 'pg'
import { type BenchOrganization, createBenchOrganization } from '../events/bench-organization.ts'

/** An organization with many accounts that have API keys. */
export interface PresenceOrganization extends BenchOrganization {
  people: readonly Account[]
  /** Session of the benchmark. It stays open until the end, so that its processor time can be read. */
  session: pg.Client
  pool: pg.Pool
}

export async function createPresenceOrganization(count: number): Promise<PresenceOrganization> {
  await using opening = new AsyncDisposableStack()
  const organization = opening.use(await createBenchOrganization())
  const session = new pg.Client({
    ...connectionOptions(organization.database.url),
    statement_timeout: 0,
    query_timeout: 0,
  })
  await session.connect()
  opening.defer(() => session.end())
  const pool = new pg.Pool({ ...connectionOptions(organization.database.url), max: 10, idleTimeoutMillis: 0 })
  opening.defer(() => pool.end())
  const people = await insertAccounts(session, organization, count)
  await session.query('analyze')
  const owned = opening.move()
  return { ...organization, people, session, pool, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function insertAccounts(
  session: pg.Client,
  { database, organization_id }: BenchOrganization,
  count: number,
): Promise<Account[]> {
  const { config } = loadConfig({ database_url: database.url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config)
  const keys = new Map<string, string>()
  for (let number = 0; number < count; number++) {
    keys.set(`clerk${number}@garden.example`, `key${number}`.padEnd(32, 'x'))
  }
  const { rows } = await session.query<{ id: number; email: string }>(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
       select $1, email, 'Clerk ' || email, 400, hash, ''
       from unnest($2::text[], $3::bytea[]) as clerk (email, hash)
       returning organization_id, id, delivery_email
     ), setting as (
       insert into user_setting (organization_id, user_id) select organization_id, id from account
     ), period as (
       insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
       select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
     )
     select id, delivery_email as email from account`,
    [organization_id, [...keys.keys()], [...keys.values()].map((key) => app.secrets.hash(key))],
  )
  await close()
  return rows.map(({ id, email }) => ({ user_id: id, email, api_key: keys.get(email) ?? '' }))
}
