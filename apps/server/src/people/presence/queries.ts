import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { AccountWithEmail } from '../../identity/accounts/public-account.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Times } from './apply-report.ts'

/** Filters `ids` to accounts whose presence is stored: active people who have not disabled it. */
export async function listReporters(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Map<UserId, AccountWithEmail>> {
  const { rows } = await sql<AccountWithEmail>`
    select u.id, u.delivery_email, u.bot_type, o.email_address_visibility
    from user_account u
      join organization o on o.id = u.organization_id
      join user_setting s on s.organization_id = u.organization_id and s.user_id = u.id
    where u.organization_id = ${organization_id} and u.id = any(${ids}::bigint[])
      and u.is_active and u.bot_type is null and s.presence_enabled`.execute(tx)
  return new Map(rows.map((account) => [account.id, account]))
}

export interface PresenceRow extends Times {
  user_id: UserId
  client: string
}

export async function listPresenceRows(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<PresenceRow[]> {
  const { rows } = await sql<PresenceRow>`
    select user_id, client, active_at, idle_at from presence
    where organization_id = ${organization_id} and user_id = any(${ids}::bigint[])`.execute(db)
  return rows
}

export async function upsertPresence(
  tx: Tx,
  organization_id: OrganizationId,
  rows: readonly PresenceRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into presence (organization_id, user_id, client, active_at, idle_at)
    select ${organization_id}, * from unnest(
      ${rows.map((row) => row.user_id)}::bigint[],
      ${rows.map((row) => row.client)}::text[],
      ${rows.map((row) => row.active_at)}::timestamptz[],
      ${rows.map((row) => row.idle_at)}::timestamptz[])
    on conflict (organization_id, user_id, client)
      do update set active_at = excluded.active_at, idle_at = excluded.idle_at`.execute(tx)
}

/**
 * The last times at which a client reported its user as active and as idle, as Unix timestamps in
 * seconds.
 */
export type LastReport = [client: string, active: number | null, idle: number | null]

export interface PersonPresence extends AccountWithEmail {
  reports: LastReport[]
}

const lastReports = sql<LastReport[]>`json_agg(json_build_array(client,
  floor(extract(epoch from active_at))::bigint, floor(extract(epoch from idle_at))::bigint))`

/** Lists all last reports of a user, regardless of their age. */
export async function listLastReports(
  db: Db,
  organization_id: OrganizationId,
  user_id: UserId,
): Promise<LastReport[]> {
  const found = await db
    .selectFrom('presence')
    .select(lastReports.as('reports'))
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return found?.reports ?? []
}

const pageSize = 1_000
/** Users without a report for this long are left out of lists. */
const listedInterval = '14 days'

const isListed = sql<boolean>`greatest(active_at, idle_at) > now() - ${sql.lit(listedInterval)}::interval`

/** Yields pages of recently present users, by id; with `ids`, only those. Only active people have rows. */
export async function* readPresencePages(
  db: Db,
  organization_id: OrganizationId,
  ids?: readonly UserId[],
): AsyncGenerator<PersonPresence[]> {
  let after = 0
  const isWanted = ids ? sql`user_id = any(${ids}::bigint[])` : sql`true`
  for (;;) {
    // The accounts are looked up row by row, because a join would read all accounts for each page.
    const { rows } = await sql<PersonPresence>`
      select user_id as id, reports, null as bot_type,
        (select delivery_email from user_account where organization_id = ${organization_id} and id = user_id),
        (select email_address_visibility from organization where id = ${organization_id})
      from (
        select user_id, ${lastReports} as reports
        from presence
        where organization_id = ${organization_id} and user_id > ${after}
          and ${isListed} and ${isWanted}
        group by user_id order by user_id limit ${pageSize}
      ) as person
      order by user_id`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Lists the recent presence of these users. Only active people have rows. */
export async function listPresenceOf(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Pick<PersonPresence, 'id' | 'reports'>[]> {
  const { rows } = await sql<Pick<PersonPresence, 'id' | 'reports'>>`
    select user_id as id, ${lastReports} as reports from presence
    where organization_id = ${organization_id} and user_id = any(${ids}::bigint[]) and ${isListed}
    group by user_id order by user_id`.execute(db)
  return rows
}

/** Deletes old reports of clients that a user no longer uses. Keeps each user's newest report. */
export async function deleteOldPresence(db: Db): Promise<void> {
  await sql`
    delete from presence old
    where greatest(active_at, idle_at) < now() - ${sql.lit(listedInterval)}::interval
      and exists (
        select from presence other
        where other.organization_id = old.organization_id and other.user_id = old.user_id
          and greatest(other.active_at, other.idle_at) > greatest(old.active_at, old.idle_at))`.execute(db)
}
