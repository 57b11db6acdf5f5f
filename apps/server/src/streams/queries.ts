import { ApiError, type OrganizationId, type RightHolder, type StreamId, type UserId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { violatedConstraint } from '../platform/database/constraint.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { StreamRow, Tables, UserRow } from '../platform/database/tables.ts'
import type { Membership } from './membership.ts'

/** Identifies the account whose membership is read. */
export interface AccountKey {
  organization_id: OrganizationId
  user_id: UserId
}

export interface StreamWithMembership extends StreamRow {
  membership: Membership
}

const selectMembership = (alias: string) => sql<Membership>`
  case when ${sql.ref(`${alias}.is_active`)} then 'in' when ${sql.ref(`${alias}.is_active`)} is null then 'never' else 'left' end`

/** Orders streams by name in code point order, as clients do. */
export const orderByName = sql`stream.name collate "C"`

/** Selects streams with the account's membership. */
export function selectStreams(db: Db, { organization_id, user_id }: AccountKey) {
  return db
    .selectFrom('stream')
    .leftJoin('subscription', (join) =>
      join
        .onRef('subscription.organization_id', '=', 'stream.organization_id')
        .onRef('subscription.stream_id', '=', 'stream.id')
        .on('subscription.user_id', '=', user_id),
    )
    .selectAll('stream')
    .select(selectMembership('subscription').as('membership'))
    .where('stream.organization_id', '=', organization_id)
}

export async function findStreamById(
  db: Db,
  owner: AccountKey,
  id: StreamId,
): Promise<StreamWithMembership | undefined> {
  return selectStreams(db, owner).where('stream.id', '=', id).executeTakeFirst()
}

export async function findStreamByName(
  db: Db,
  owner: AccountKey,
  foldedName: string,
): Promise<StreamWithMembership | undefined> {
  return selectStreams(db, owner).where('stream.folded_name', '=', foldedName).executeTakeFirst()
}

export async function listStreamsById(
  db: Db,
  owner: AccountKey,
  ids: readonly StreamId[],
): Promise<StreamWithMembership[]> {
  return selectStreams(db, owner)
    .where((eb) => eb('stream.id', '=', eb.fn.any(eb.val([...ids]))))
    .execute()
}

/**
 * Lists the streams with these names, including archived streams, whose names differ from those of
 * active streams.
 */
export async function listStreamsByName(
  db: Db,
  owner: AccountKey,
  foldedNames: readonly string[],
): Promise<StreamWithMembership[]> {
  return selectStreams(db, owner)
    .where((eb) => eb('stream.folded_name', '=', eb.fn.any(eb.val([...foldedNames]))))
    .orderBy('stream.id')
    .execute()
}

/**
 * Lists all streams that are not archived, by name. Does not check whether the account may see
 * them.
 */
export async function listStreams(db: Db, owner: AccountKey): Promise<StreamWithMembership[]> {
  return selectStreams(db, owner).where('stream.archived_at', 'is', null).orderBy(orderByName).execute()
}

/**
 * Lists all streams of the organization by id, including archived ones. The caller checks whether
 * the account may see them.
 */
export async function listAllStreams(db: Db, owner: AccountKey): Promise<StreamWithMembership[]> {
  return selectStreams(db, owner).orderBy('stream.id').execute()
}

/** Returns the bytes of all descriptions, with their HTML, of streams that are not archived. */
export async function measureDescriptions(db: Db, organization_id: OrganizationId): Promise<number> {
  const { bytes } = await db
    .selectFrom('stream')
    .select(
      sql<number>`sum(octet_length(description) + octet_length(rendered_description))::float8`.as('bytes'),
    )
    .where('organization_id', '=', organization_id)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  return bytes ?? 0
}

/** Counts streams that are not archived. */
export async function countStreams(db: Db, organization_id: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('stream')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export type NewStream = Omit<
  Insertable<Tables['stream']>,
  'email_token' | 'created_at' | 'archived_at' | 'first_message_id' | 'folder_id' | 'rights'
>

/**
 * Inserts streams and returns the inserted rows. Skips names that were taken meanwhile. The SQL
 * text does not depend on the number of streams, because PostgreSQL keeps a prepared statement for
 * each text.
 */
export async function insertStreams(tx: Tx, streams: readonly NewStream[]): Promise<StreamRow[]> {
  if (streams.length === 0) return []
  const { rows } = await sql<StreamRow>`
    insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
      history_public_to_subscribers, stream_post_policy, message_retention_days)
    select organization_id, name, folded_name, description, rendered_description, invite_only,
      history_public_to_subscribers, stream_post_policy, message_retention_days
    from json_populate_recordset(null::stream, ${JSON.stringify(streams)}::json)
    on conflict on constraint stream_name_key do nothing
    returning *`.execute(tx)
  return rows
}

export async function updateStreamRow(
  tx: Tx,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
  values: Updateable<Tables['stream']>,
): Promise<void> {
  await tx
    .updateTable('stream')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'stream_name_key' && values.name !== undefined)
        throw new ApiError('STREAM_NAME_TAKEN', { name: String(values.name) })
      throw error
    })
}

/** Filters `foldedNames` to names that no stream has. */
export async function listUnusedNames(
  tx: Tx,
  organization_id: OrganizationId,
  foldedNames: readonly string[],
): Promise<Set<string>> {
  const takenNames = await tx
    .selectFrom('stream')
    .select('folded_name')
    .where('organization_id', '=', organization_id)
    .where((eb) => eb('folded_name', '=', eb.fn.any(eb.val([...foldedNames]))))
    .execute()
  const names = new Set(takenNames.map(({ folded_name }) => folded_name))
  return new Set(foldedNames.filter((name) => !names.has(name)))
}

/**
 * Returns the number of messages per stream over the last 28 complete days, for `streams` or for
 * all streams. Omits streams without messages.
 */
export async function listRecentTraffic(
  db: Db,
  organization_id: OrganizationId,
  streams: readonly StreamId[] | null = null,
): Promise<Map<StreamId, number>> {
  const { rows } = await sql<{ stream_id: StreamId; messages: number }>`
    select stream_id, sum(messages) as messages from stream_traffic
    where organization_id = ${organization_id}
      and (${streams}::bigint[] is null or stream_id = any(${streams}::bigint[]))
      and day >= (now() at time zone 'utc')::date - 28 and day < (now() at time zone 'utc')::date
    group by stream_id`.execute(db)
  return new Map(rows.map(({ stream_id, messages }) => [stream_id, messages]))
}

/** Returns the account's name, role and join date. */
export async function getPerson(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<Pick<UserRow, 'id' | 'full_name' | 'role' | 'date_joined'>> {
  return db
    .selectFrom('user_account')
    .select(['id', 'full_name', 'role', 'date_joined'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
}

export async function findBotOwner(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<AccountKey | undefined> {
  const bot = await db
    .selectFrom('user_account')
    .select('bot_owner_id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirst()
  return bot?.bot_owner_id ? { organization_id, user_id: bot.bot_owner_id } : undefined
}

/** Lists the streams that the account is subscribed to. */
export async function listSubscribedStreamIds(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<Set<StreamId>> {
  const rows = await db
    .selectFrom('subscription')
    .select('stream_id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('is_active', '=', true)
    .execute()
  return new Set(rows.map(({ stream_id }) => stream_id))
}

/** An account that may have rights, and for a bot its owner. */
export interface Actors extends RightHolder {
  owner?: RightHolder
}

/** Loads the properties of an account, and of its owner if it is a bot, on which rights depend. */
export async function loadActors(db: Db, { organization_id, user_id }: AccountKey): Promise<Actors> {
  const { rows } = await sql<RightHolder & { is_owner: boolean }>`
    with recursive holder as (
      select u.id, u.role, u.id <> ${user_id} as is_owner,
        date_part('epoch', now() - u.date_joined) < o.waiting_period_threshold * 86400::float8 as "isNew"
      from user_account u join organization o on o.id = u.organization_id
      where u.organization_id = ${organization_id} and (u.id = ${user_id} or u.id = (
        select bot.bot_owner_id from user_account bot
        where bot.organization_id = ${organization_id} and bot.id = ${user_id}))
    ), own (user_id, group_id) as (
      select m.user_id, m.group_id from user_group_member m
      where m.organization_id = ${organization_id} and m.user_id in (select id from holder)
      union
      select own.user_id, g.group_id from own
      join user_group_subgroup g on g.organization_id = ${organization_id} and g.subgroup_id = own.group_id
    )
    select holder.*, array(select group_id from own where own.user_id = holder.id) as groups
    from holder order by is_owner`.execute(db)
  const [account, owner] = rows
  if (!account) throw new Error(`account ${user_id} does not exist`)
  return { ...account, ...(owner && { owner }) }
}
