import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type ShownUser, selectShown } from './queries.ts'

/**
 * The users of an organization with ids from `start` (inclusive) to `end` (exclusive), in one
 * snapshot.
 */
export interface UserGroup {
  start: number
  /** Undefined for the last group. */
  end: number | undefined
  count: number
  /**
   * Identifies the versions of all rows that the users are built from: two groups with equal
   * versions have equal rows.
   */
  version: string
  email_address_visibility: number
}

/** Returns whether the organization has at least `count` users. */
export async function hasManyUsers(db: Db, organization_id: OrganizationId, count: number): Promise<boolean> {
  const user = await db
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return user !== undefined
}

/**
 * Divides the users with ids from `start` on into groups. Returns the first id of each group; that
 * of the first group is `start`.
 */
export async function divideUsers(
  db: Db,
  organization_id: OrganizationId,
  start: number,
  usersPerGroup: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, row_number() over (order by id) as number from user_account
      where organization_id = ${organization_id} and id >= ${start}) as numbered
    where number % ${usersPerGroup}::int = 1 and number > 1 order by id`.execute(db)
  return [start, ...rows.map(({ id }) => id)]
}

/**
 * Reads the groups that begin at these ids, without reading the users themselves. Skips empty
 * groups.
 *
 * A row that has the same id, `xmin` and `ctid` in two snapshots is the same version of the row,
 * because a transaction leaves one version of a row behind. A transaction id can be used twice only
 * after a failover that loses commits (decision 0013), and this changes the start time of the
 * server.
 */
export async function readUserGroups(
  db: Db,
  organization_id: OrganizationId,
  starts: readonly number[],
  withProfile: boolean,
): Promise<UserGroup[]> {
  const { rows } = await sql<
    Pick<UserGroup, 'count' | 'version' | 'email_address_visibility'> & { number: number }
  >`
    with person as (
      select width_bucket(id, ${starts}::bigint[]) as number, count(*) as count,
        bit_xor(hash_record_extended(row(id, xmin, ctid), 0)) as rows
      from user_account where organization_id = ${organization_id} group by 1
    ), profile as (
      select width_bucket(user_id, ${starts}::bigint[]) as number, count(*) as count,
        bit_xor(hash_record_extended(row(user_id, field_id, xmin, ctid), 0)) as rows
      from profile_value where organization_id = ${organization_id} and ${withProfile} group by 1
    )
    select person.number, person.count::int as count, organization.email_address_visibility,
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()), person.count, person.rows,
        profile.count, profile.rows) as version
    from person
    left join profile on profile.number = person.number
    join organization on organization.id = ${organization_id}
    order by person.number`.execute(db)
  return rows.map(({ number, ...group }) => ({
    ...group,
    start: starts[number - 1] ?? 0,
    end: starts[number],
  }))
}

/** Lists the users of a group, by id. */
export async function listShownUsersFrom(
  db: Db,
  organization_id: OrganizationId,
  { start, end }: Pick<UserGroup, 'start' | 'end'>,
  withProfile: boolean,
): Promise<ShownUser[]> {
  return selectShown(db, withProfile)
    .where('user_account.organization_id', '=', organization_id)
    .where('user_account.id', '>=', start as UserId)
    .$if(end !== undefined, (query) => query.where('user_account.id', '<', end as UserId))
    .orderBy('user_account.id')
    .execute()
}
