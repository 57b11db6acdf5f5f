import type { OrganizationId, StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { AccountKey } from '../queries.ts'

/**
 * Maps each stream to a JSON list of user ids in ascending order. The lists are not parsed, because
 * a list may have a hundred thousand ids.
 */
export type MembersByStream = ReadonlyMap<StreamId, string>

interface MemberListRow {
  stream_id: StreamId
  /** Null if the stream has no active subscribers. */
  ids: string | null
}

/**
 * Lists the active subscribers of these streams. Reads the index once per stream and looks up the
 * few deactivated users in a hash table. With a single join, PostgreSQL may compare every
 * subscriber with each deactivated user.
 */
export async function listMembers(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
): Promise<MembersByStream> {
  if (streams.length === 0) return new Map()
  const { rows } = await sql<MemberListRow>`
    select asked.stream_id, member.ids
    from unnest(${streams}::bigint[]) as asked (stream_id)
    cross join lateral (
      select string_agg(user_id::text, ',') as ids
      from (
        select user_id from subscription
        where organization_id = ${organization_id} and stream_id = asked.stream_id and is_active
          and user_id not in (${inactiveAccounts(organization_id)})
        order by user_id
      ) as ordered
    ) as member`.execute(db)
  return toMembersByStream(rows)
}

/** Counts the active subscribers of these streams; 0 for a stream without any. */
export async function countStreamMembers(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
): Promise<ReadonlyMap<StreamId, number>> {
  if (streams.length === 0) return new Map()
  const { rows } = await sql<{ stream_id: StreamId; count: number }>`
    select asked.stream_id, member.count::int as count
    from unnest(${streams}::bigint[]) as asked (stream_id)
    cross join lateral (
      select count(*) from subscription
      where organization_id = ${organization_id} and stream_id = asked.stream_id and is_active
        and user_id not in (${inactiveAccounts(organization_id)})
    ) as member`.execute(db)
  return new Map(rows.map(({ stream_id, count }) => [stream_id, count]))
}

const inactiveAccounts = (organization_id: OrganizationId) => sql`
  select id from user_account where organization_id = ${organization_id} and not is_active`

/**
 * Lists the users who were subscribed and active when the record with this outbox id was written.
 * Role periods are read only for the few users who are inactive now or whose role changed after
 * that record.
 */
export async function listMembersAt(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
  outboxId: number,
): Promise<MembersByStream> {
  if (streams.length === 0) return new Map()
  const { rows } = await sql<MemberListRow>`
    select asked.stream_id, member.ids
    from unnest(${streams}::bigint[]) as asked (stream_id)
    cross join lateral (
      select string_agg(user_id::text, ',') as ids
      from (
        select user_id from (
          select user_id from subscription_period
          where organization_id = ${organization_id} and stream_id = asked.stream_id
            and to_outbox_id is null and from_outbox_id <= ${outboxId}
          union all
          select user_id from subscription_period
          where organization_id = ${organization_id} and stream_id = asked.stream_id
            and to_outbox_id > ${outboxId} and from_outbox_id <= ${outboxId}
        ) as present
        where (
          user_id not in (${inactiveAccounts(organization_id)})
          and user_id not in (
            select user_id from role_period
            where organization_id = ${organization_id} and from_outbox_id > ${outboxId})
        ) or exists (
          select from role_period r
          where r.organization_id = ${organization_id} and r.user_id = present.user_id
            and r.from_outbox_id <= ${outboxId} and (r.to_outbox_id is null or r.to_outbox_id > ${outboxId}))
        order by user_id
      ) as ordered
    ) as member`.execute(db)
  return toMembersByStream(rows)
}

function toMembersByStream(rows: readonly MemberListRow[]): MembersByStream {
  return new Map(rows.map(({ stream_id, ids }) => [stream_id, `[${ids ?? ''}]`]))
}

/** Filters `streams` to those without active subscribers. */
export async function listVacantStreams(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
): Promise<Set<StreamId>> {
  if (streams.length === 0) return new Set()
  // The subquery stops at the first active subscriber. A join would read all subscribers and all
  // accounts.
  const { rows } = await sql<{ id: StreamId }>`
    select id from unnest(${streams}::bigint[]) as stream (id)
    where (
      select s.user_id from subscription s
      where s.organization_id = ${organization_id} and s.stream_id = stream.id and s.is_active
        and (select u.is_active from user_account u
             where u.organization_id = ${organization_id} and u.id = s.user_id)
      order by s.user_id limit 1
    ) is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Finds a person; undefined for bots. */
export async function findPerson(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<{ is_active: boolean } | undefined> {
  return db
    .selectFrom('user_account')
    .select('is_active')
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .where('bot_type', 'is', null)
    .executeTakeFirst()
}
