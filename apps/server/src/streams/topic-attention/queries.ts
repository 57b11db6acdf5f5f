import { Attention, foldTopic, type OrganizationId, type StreamId, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { AccountKey } from '../queries.ts'

// Muted topics are rows of `muted_topic`; followed and unmuted ones are rows of `topic_attention`. A topic has a
// row in at most one of them: this file deletes the other one, and so does a trigger of `muted_topic`.

const tables = ['muted_topic', 'topic_attention'] as const

export interface MutedTopicRow {
  name: string
  topic: string
  muted_at: Date
}

export interface AttentionRow {
  stream_id: StreamId
  topic: string
  changed_at: Date
  policy: Attention
}

/** Lists the muted topics of accounts, of each in the order in which they were muted. */
export async function listMutedTopics(
  db: Db,
  organization_id: OrganizationId,
  users: readonly UserId[],
): Promise<(MutedTopicRow & { user_id: UserId })[]> {
  return db
    .selectFrom('muted_topic')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'muted_topic.organization_id')
        .onRef('stream.id', '=', 'muted_topic.stream_id'),
    )
    .select(['muted_topic.user_id', 'stream.name', 'muted_topic.topic', 'muted_topic.muted_at'])
    .where('muted_topic.organization_id', '=', organization_id)
    .where((eb) => eb('muted_topic.user_id', '=', eb.fn.any(eb.val([...users]))))
    .orderBy('muted_topic.user_id')
    .orderBy('muted_topic.muted_at')
    .orderBy('muted_topic.stream_id')
    .orderBy('muted_topic.folded_topic')
    .execute()
}

/** Lists the accounts that muted a topic of the stream. */
export async function listMutersInStream(
  db: Db,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('muted_topic')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', organization_id)
    .where('stream_id', '=', stream_id)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Lists the topics that the account muted, unmuted or follows, in the order of their changes. */
export async function listAttention(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<AttentionRow[]> {
  const { rows } = await sql<AttentionRow>`
    select stream_id, topic, changed_at, policy from (
      select stream_id, topic, folded_topic, muted_at as changed_at, ${sql.lit(Attention.muted)} as policy
      from muted_topic where organization_id = ${organization_id} and user_id = ${user_id}
      union all
      select stream_id, topic, folded_topic, changed_at, policy
      from topic_attention where organization_id = ${organization_id} and user_id = ${user_id}
    ) as attended
    order by changed_at, stream_id, folded_topic`.execute(db)
  return rows
}

export async function findAttention(
  db: Db,
  { organization_id, user_id }: AccountKey,
  stream_id: StreamId,
  topic: string,
): Promise<Attention> {
  const [row] = await listAttentionOfUsers(db, { organization_id, stream_id, topic }, [user_id])
  return row?.policy ?? Attention.none
}

interface TopicKey {
  organization_id: OrganizationId
  stream_id: StreamId
  topic: string
}

/** Lists the accounts among these that muted, unmuted or follow the topic. */
export async function listAttentionOfUsers(
  db: Db,
  { organization_id, stream_id, topic }: TopicKey,
  users: readonly UserId[],
): Promise<{ user_id: UserId; policy: Attention }[]> {
  const isRow = sql`organization_id = ${organization_id} and stream_id = ${stream_id}
    and folded_topic = ${foldTopic(topic)} and user_id = any(${[...users]}::bigint[])`
  const { rows } = await sql<{ user_id: UserId; policy: Attention }>`
    select user_id, ${sql.lit(Attention.muted)} as policy from muted_topic where ${isRow}
    union all select user_id, policy from topic_attention where ${isRow}
    order by user_id`.execute(db)
  return rows
}

/**
 * Locks the settings of up to `limit` accounts that changed their attention to the topic up to a time, in the
 * order of their ids, and returns the accounts.
 */
export async function lockAttentive(
  tx: Tx,
  { organization_id, stream_id, topic }: TopicKey,
  until: string,
  limit: number,
): Promise<UserId[]> {
  const isTopic = sql`organization_id = ${organization_id} and stream_id = ${stream_id}
    and folded_topic = ${foldTopic(topic)}`
  const { rows } = await sql<{ user_id: UserId }>`
    select user_id from user_setting
    where organization_id = ${organization_id} and user_id in (
      select user_id from muted_topic where ${isTopic} and muted_at <= ${until}::timestamptz
      union select user_id from topic_attention where ${isTopic} and changed_at <= ${until}::timestamptz)
    order by user_id limit ${limit}
    for no key update`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Sets the attention of accounts to a topic, and returns the time of the change. Their settings must be
 * locked.
 */
export async function writeAttention(
  tx: Tx,
  { organization_id, stream_id, topic }: TopicKey,
  users: readonly UserId[],
  policy: Attention,
): Promise<Date> {
  const folded = foldTopic(topic)
  for (const table of tables)
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organization_id)
      .where('stream_id', '=', stream_id)
      .where('folded_topic', '=', folded)
      .where((eb) => eb('user_id', '=', eb.fn.any(eb.val([...users]))))
      .execute()
  // The time of the statement, because the transaction may have begun earlier and waited for a lock.
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)
  const at = rows[0]?.at as Date
  if (policy === Attention.none) return at
  const selectRows = (values: RawBuilder<unknown>) => sql`
    select ${organization_id}::bigint, id, ${stream_id}::bigint, ${topic}, ${folded}, ${values}
    from unnest(${[...users]}::bigint[]) as id`
  if (policy === Attention.muted)
    await sql`
      insert into muted_topic (organization_id, user_id, stream_id, topic, folded_topic, muted_at)
      ${selectRows(sql`${at}::timestamptz`)}`.execute(tx)
  else
    await sql`
      insert into topic_attention (organization_id, user_id, stream_id, topic, folded_topic, policy, changed_at)
      ${selectRows(sql`${policy}::smallint, ${at}::timestamptz`)}`.execute(tx)
  return at
}

/** Counts the topics that the account muted, or those that it follows or unmuted. */
export async function countAttention(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  table: 'muted_topic' | 'topic_attention',
): Promise<number> {
  const { topics } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('topics'))
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return topics
}

export async function deleteAttentionToStream(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<void> {
  for (const table of tables)
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organization_id)
      .where('stream_id', '=', stream_id)
      .execute()
}

/**
 * Deletes the attention of users who can no longer see the stream: members and guests who were never
 * subscribed.
 */
export async function deleteAttentionOfNonMembers(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<void> {
  for (const table of tables)
    await sql`
      delete from ${sql.table(table)} attended using user_account u
      where attended.organization_id = ${organization_id} and attended.stream_id = ${stream_id}
        and u.organization_id = ${organization_id} and u.id = attended.user_id and u.role > 200
        and not exists (
          select from subscription s
          where s.organization_id = ${organization_id} and s.user_id = attended.user_id
            and s.stream_id = ${stream_id})`.execute(tx)
}

/** Deletes a user's attention to topics of streams that they can no longer see. */
export async function deleteAttentionOfUser(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
  streams: readonly StreamId[],
): Promise<void> {
  if (streams.length === 0) return
  for (const table of tables)
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organization_id)
      .where('user_id', '=', user_id)
      .where((eb) => eb('stream_id', '=', eb.fn.any(eb.val([...streams]))))
      .execute()
}
