import { connectionOptions } from '@oxbow/server'
import { type Account, eventually } from '@oxbow/testkit'
import pg from 'pg'
import { type BenchOrganization, createBenchOrganization } from '../events/bench-organization.ts'

/**
 * An organization with very many accounts, few of which have API keys. The first of `accounts` is
 * the owner.
 */
export interface LargeOrganization extends BenchOrganization {
  owner: Account
  members: readonly Account[]
  /** User ids of the accounts without API keys, in ascending order. */
  keylessUserIds: readonly number[]
  /** Session of the benchmark, for bare SQL that is compared with the server. */
  session: pg.Client
  /** Waits until the outbox is empty and returns the size of the log in bytes. */
  logBytes(): Promise<number>
}

export async function createLargeOrganization(people: number, accounts?: number): Promise<LargeOrganization> {
  await using starting = new AsyncDisposableStack()
  const organization = starting.use(await createBenchOrganization(accounts))
  const session = new pg.Client({
    ...connectionOptions(organization.database.url),
    statement_timeout: 0,
    query_timeout: 0,
  })
  await session.connect()
  starting.defer(() => session.end())
  const keylessUserIds = await withoutForeignKeys(session, () =>
    insertKeylessAccounts(session, organization.organization_id, people),
  )
  const [owner, ...members] = organization.accounts
  const owned = starting.move()
  return {
    ...organization,
    owner: owner as Account,
    members,
    keylessUserIds,
    session,
    async logBytes() {
      await eventually(async () => (await session.query('select from outbox limit 1')).rowCount === 0, 60_000)
      const { rows } = await session.query<{ bytes: number }>(
        'select coalesce(sum(octet_length(records)), 0)::float as bytes from event_batch',
      )
      return rows[0]?.bytes ?? 0
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function insertKeylessAccounts(
  session: pg.Client,
  organization_id: number,
  people: number,
): Promise<number[]> {
  const { rows } = await session.query<{ id: number }>(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
       select $1, 'villager' || number || '@garden.example', 'Villager ' || number, 400,
         sha256(number::text::bytea), ''
       from generate_series(1, $2) as number
       returning organization_id, id
     ), setting as (
       insert into user_setting (organization_id, user_id) select organization_id, id from account
     ), period as (
       insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
       select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
     )
     select id from account order by id`,
    [organization_id, people],
  )
  return rows.map(({ id }) => id)
}

export interface BenchStream {
  id: number
  name: string
}

/** Creates public streams without subscribers. */
export async function addStreams(
  { session, organization_id }: LargeOrganization,
  count: number,
): Promise<BenchStream[]> {
  const { rows } = await session.query<BenchStream>(
    `insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
       history_public_to_subscribers, stream_post_policy)
     select $1, 'stream ' || name, 'stream ' || name, 'Where things grow.', '<p>Where things grow.</p>', false, true, 1
     from (select gen_random_uuid() as name from generate_series(1, $2)) as named
     returning id, name`,
    [organization_id, count],
  )
  return rows
}

export interface Membership {
  streams: readonly BenchStream[]
  people: readonly number[]
  /** Probability of each subscription; 1 by default. */
  chance?: number
  /** Omits the subscription periods, for streams whose events are not delivered. */
  withoutPeriods?: true
}

/** Subscribes people to streams with SQL, without events. */
export async function insertSubscriptions(
  { session, organization_id }: LargeOrganization,
  ...memberships: readonly Membership[]
): Promise<void> {
  await withoutForeignKeys(session, async () => {
    for (const { streams, people, chance = 1, withoutPeriods = false } of memberships) {
      await session.query(
        `with pair as materialized (
           select user_id, stream_id from unnest($2::bigint[]) as stream_id, unnest($3::bigint[]) as user_id
           where $4::float = 1 or random() < $4
         ), subscribed as (
           insert into subscription (organization_id, user_id, stream_id, is_active, color)
           select $1, user_id, stream_id, true, '#c2c2c2' from pair
         )
         insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
         select $1, user_id, stream_id, bound.outbox, bound.message
         from pair, (select nextval('outbox_id') as outbox, nextval('message_id') as message) as bound
         where not $5`,
        [organization_id, streams.map(({ id }) => id), people, chance, withoutPeriods],
      )
    }
  })
}

/**
 * Drops the foreign keys, runs `work` and adds the keys again. All rows are then checked at once,
 * in a tenth of the time.
 */
async function withoutForeignKeys<Result>(session: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const { rows: keys } = await session.query<{ of: string; name: string; definition: string }>(
    `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any ('{user_account, user_setting, role_period, subscription,
       subscription_period}'::regclass[])`,
  )
  await session.query('begin')
  for (const { of, name } of keys) await session.query(`alter table ${of} drop constraint ${name}`)
  const result = await work()
  for (const { of, name, definition } of keys)
    await session.query(`alter table ${of} add constraint ${name} ${definition}`)
  await session.query('commit')
  await session.query('vacuum analyze')
  return result
}
