import { type OrganizationId, Role, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { listAccountsByEmail } from './find-by-email.ts'
import { type Account, listAccountsById } from './queries.ts'

/** The account whose sight is evaluated. */
export interface Viewer {
  organization_id: OrganizationId
  user_id: UserId
  role: Role
}

/**
 * SQL: the ids of the accounts that a guest sees in an organization that limits the sight of guests: the
 * guest, everyone in the streams that the guest is subscribed to and in the guest's conversations, the
 * guest's bots, and the owner of a bot. This alone decides who sees whom; `GuestAudience` says the same for
 * events. A condition on `id` around it is evaluated inside, with one lookup for each stream.
 */
const selectInSight = (
  organization_id: OrganizationId,
  guest: UserId | RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select ${guest}::bigint as id
  union select theirs.user_id from subscription own
    join subscription theirs on theirs.organization_id = own.organization_id
      and theirs.stream_id = own.stream_id and theirs.is_active
    where own.organization_id = ${organization_id} and own.user_id = ${guest} and own.is_active
  union select member.id from conversation_member own
    join conversation c on c.organization_id = own.organization_id and c.id = own.conversation_id
    cross join lateral unnest(c.members) as member (id)
    where own.organization_id = ${organization_id} and own.user_id = ${guest}
  union select bot.id from user_account bot
    where bot.organization_id = ${organization_id} and bot.bot_owner_id = ${guest}
  union select own.bot_owner_id from user_account own
    where own.organization_id = ${organization_id} and own.id = ${guest} and own.bot_owner_id is not null)`

/** Returns whether the organization limits whom guests see. */
export async function limitsGuests(db: Db, organization_id: OrganizationId): Promise<boolean> {
  const { guests_see_only_shared_people } = await db
    .selectFrom('organization')
    .select('guests_see_only_shared_people')
    .where('id', '=', organization_id)
    .executeTakeFirstOrThrow()
  return guests_see_only_shared_people
}

/** Returns whether the account sees only some people, as of the connection's snapshot. */
export async function isSightLimited(
  db: Db,
  { organization_id, user_id }: Pick<Viewer, 'organization_id' | 'user_id'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'organization_id')
    .select('user_account.id')
    .where('organization_id', '=', organization_id)
    .where('user_account.id', '=', user_id)
    .where('role', '=', Role.guest)
    .where('guests_see_only_shared_people', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/** Lists the ids of all accounts in the sight of a guest, in ascending order. */
export async function listInSight(
  db: Db,
  { organization_id, user_id }: Pick<Viewer, 'organization_id' | 'user_id'>,
): Promise<UserId[]> {
  const { rows } = await sql<{ ids: UserId[] | null }>`
    select array_agg(id order by id) as ids
    from ${selectInSight(organization_id, user_id)} as seen`.execute(db)
  return rows[0]?.ids ?? []
}

/**
 * Filters `ids` to accounts that the viewer may know of: all of them, unless the viewer is a guest whose
 * sight is limited. Does the same work for hidden accounts as for ids without an account, also if
 * there are no ids.
 */
export async function filterSeen<Id extends number>(
  db: Db,
  { organization_id, user_id, role }: Viewer,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (role !== Role.guest) return new Set(ids)
  const { rows } = await sql<{ id: Id }>`
    select wanted.id from unnest(${ids}::bigint[]) as wanted (id)
    where not (select guests_see_only_shared_people from organization where id = ${organization_id})
      or wanted.id in (select id from system_account)
      or wanted.id in (
        select seen.id from ${selectInSight(organization_id, user_id)} as seen
        where seen.id = any(${ids}::bigint[]))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Lists accounts with these ids. Accounts that the viewer does not see are left out like missing ones. */
export async function listSeenAccountsById(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Map<UserId, Account>> {
  return listAccountsById(db, viewer.organization_id, [...(await filterSeen(db, viewer, ids))])
}

/**
 * Finds accounts by their display addresses. The keys of the result are in lower case. Accounts that the
 * viewer does not see are left out like missing ones.
 */
export async function listSeenAccountsByEmail(
  config: Config,
  db: Db,
  viewer: Viewer,
  emails: readonly string[],
): Promise<Map<string, Account>> {
  const found = await listAccountsByEmail(config, db, viewer.organization_id, emails)
  const ids = [...found.values()].map(({ id }) => id)
  const seen = await filterSeen(db, viewer, ids)
  return new Map([...found].filter(([, { id }]) => seen.has(id)))
}
