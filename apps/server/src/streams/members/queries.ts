import type { OrganizationId, StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Owner } from '../queries.ts'

/** Lists of ids as JSON, ascending: a hundred thousand of them are passed on and never taken apart. */
export type MembersByStream = ReadonlyMap<StreamId, string>

interface Listed {
  stream_id: StreamId
  /** Null where there is nobody. */
  ids: string | null
}

/**
 * Everyone active who is in these streams now. One walk through the index for each stream; the few who are deactivated
 * are looked up in a table made once. (As one join, a few hundred of them made PostgreSQL compare each with each.)
 */
export async function listMembers(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
): Promise<MembersByStream> {
  if (streams.length === 0) return new Map()
  const { rows } = await sql<Listed>`
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
  return listed(rows)
}

const inactiveAccounts = (organization_id: OrganizationId) => sql`
  select id from user_account where organization_id = ${organization_id} and not is_active`

/**
 * Everyone who was in these streams, and active, when the record with this outbox id was written. Most are active now and have
 * had their role since before it; only of the others the periods are looked at.
 */
export async function listMembersAt(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
  outboxId: number,
): Promise<MembersByStream> {
  if (streams.length === 0) return new Map()
  const { rows } = await sql<Listed>`
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
  return listed(rows)
}

function listed(rows: readonly Listed[]): MembersByStream {
  return new Map(rows.map(({ stream_id, ids }) => [stream_id, `[${ids ?? ''}]`]))
}

/** Those of these streams that nobody active is in. */
export async function listVacantStreams(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[],
): Promise<Set<StreamId>> {
  if (streams.length === 0) return new Set()
  // The first member who is active is enough; a join would walk through all of them, and all accounts.
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

/** Bots are no persons. */
export async function findPerson(
  db: Db,
  { organization_id, user_id }: Owner,
): Promise<{ is_active: boolean } | undefined> {
  return db
    .selectFrom('user_account')
    .select('is_active')
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .where('bot_type', 'is', null)
    .executeTakeFirst()
}
