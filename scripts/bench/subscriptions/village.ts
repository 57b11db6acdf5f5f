import { connectionOptions } from '@oxbow/server'
import { type Account, eventually } from '@oxbow/testkit'
import pg from 'pg'
import { type Garden, plantGarden } from '../events/garden.ts'

/** A garden with very many people, of whom some have keys: the first of `accounts` owns it. */
export interface Village extends Garden {
  owner: Account
  members: readonly Account[]
  /** Those without keys, in the order of their ids. */
  villagers: readonly number[]
  /** A session of the bench, for what is compared with the server. */
  session: pg.Client
  /** Bytes that the log has, once everything is in it. */
  logBytes(): Promise<number>
}

export async function plantVillage(people: number): Promise<Village> {
  await using planting = new AsyncDisposableStack()
  const garden = planting.use(await plantGarden())
  const session = new pg.Client({
    ...connectionOptions(garden.database.url),
    statement_timeout: 0,
    query_timeout: 0,
  })
  await session.connect()
  planting.defer(() => session.end())
  const villagers = await inBulk(session, () => insertVillagers(session, garden.organization_id, people))
  const [owner, ...members] = garden.accounts
  const owned = planting.move()
  return {
    ...garden,
    owner: owner as Account,
    members,
    villagers,
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

async function insertVillagers(
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

/** A stream of the village. */
export interface Bed {
  id: number
  name: string
}

/** New public streams that nobody is in. */
export async function addStreams({ session, organization_id }: Village, count: number): Promise<Bed[]> {
  const { rows } = await session.query<Bed>(
    `insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
       history_public_to_subscribers, stream_post_policy)
     select $1, 'bed ' || name, 'bed ' || name, 'Where things grow.', '<p>Where things grow.</p>', false, true, 1
     from (select gen_random_uuid() as name from generate_series(1, $2)) as named
     returning id, name`,
    [organization_id, count],
  )
  return rows
}

export interface Membership {
  streams: readonly Bed[]
  people: readonly number[]
  /** Each pair with this chance; all of them where nothing is said. */
  chance?: number
  /** Leaves out since when they are in: no event is to be told of these. */
  withoutPeriods?: true
}

/** Puts people into streams behind the server's back, as if it was long ago. */
export async function putInto(
  { session, organization_id }: Village,
  ...memberships: readonly Membership[]
): Promise<void> {
  await inBulk(session, async () => {
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

/** Foreign keys are checked once for all rows, not for each: that takes a tenth of the time. */
async function inBulk<Result>(session: pg.Client, work: () => Promise<Result>): Promise<Result> {
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
