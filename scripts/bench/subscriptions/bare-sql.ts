import type pg from 'pg'
import type { BenchStream, LargeOrganization, Membership } from './large-organization.ts'

/**
 * Inserts the minimum of rows for new subscriptions: the subscriptions and their periods, in one
 * transaction.
 */
export async function insertPairs(
  { session, organization_id }: LargeOrganization,
  { streams, people }: Membership,
): Promise<void> {
  const values = [organization_id, people, streams.map(({ id }) => id)]
  await session.query('begin')
  await session.query(
    `insert into subscription (organization_id, user_id, stream_id, is_active, color)
     select $1, user_id, stream_id, true, '#c2c2c2'
     from unnest($2::bigint[]) as user_id, unnest($3::bigint[]) as stream_id`,
    values,
  )
  await session.query(
    `insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
     select $1, user_id, stream_id, bound.outbox, bound.message
     from unnest($2::bigint[]) as user_id, unnest($3::bigint[]) as stream_id,
       (select nextval('outbox_id') as outbox, nextval('message_id') as message) as bound`,
    values,
  )
  await session.query('commit')
}

/** Writes the minimum that ends all subscriptions to a stream. */
export async function endPairs(
  { session, organization_id }: LargeOrganization,
  { id }: BenchStream,
): Promise<void> {
  const values = [organization_id, id]
  await session.query('begin')
  await session.query(
    'update subscription set is_active = false where organization_id = $1 and stream_id = $2 and is_active',
    values,
  )
  await session.query(
    `update subscription_period set to_outbox_id = bound.outbox, to_message_id = bound.message
     from (select nextval('outbox_id') as outbox, nextval('message_id') as message) as bound
     where organization_id = $1 and stream_id = $2 and to_outbox_id is null`,
    values,
  )
  await session.query('commit')
}

/**
 * Reads the subscribers of the streams as texts. Sorts each stream separately, which takes half the
 * time.
 */
export function readPairs(
  { session, organization_id }: LargeOrganization,
  streams: readonly BenchStream[],
): Promise<pg.QueryResult> {
  return session.query({
    name: 'read pairs',
    text: `select asked.id, ids from unnest($2::bigint[]) as asked (id)
       cross join lateral (
         select string_agg(user_id::text, ',') as ids from (
           select user_id from subscription
           where organization_id = $1 and stream_id = asked.id and is_active order by user_id
         ) as member
       ) as listed`,
    values: [organization_id, streams.map(({ id }) => id)],
  })
}

/** Runs `work` and returns its duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
