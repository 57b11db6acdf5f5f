import { foldTopic, type OrganizationId, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { AccountKey } from '../queries.ts'

export interface MutedTopicRow {
  name: string
  topic: string
  muted_at: Date
}

/** Lists the muted topics of an account, in the order in which they were muted. */
export async function listMutedTopics(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<MutedTopicRow[]> {
  return db
    .selectFrom('muted_topic')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'muted_topic.organization_id')
        .onRef('stream.id', '=', 'muted_topic.stream_id'),
    )
    .select(['stream.name', 'muted_topic.topic', 'muted_topic.muted_at'])
    .where('muted_topic.organization_id', '=', organization_id)
    .where('muted_topic.user_id', '=', user_id)
    .orderBy('muted_topic.muted_at')
    .orderBy('muted_topic.stream_id')
    .orderBy('muted_topic.folded_topic')
    .execute()
}

/**
 * Lists all muted topics of every user who muted a topic of this stream, in the order they were
 * muted.
 */
export async function listMutedTopicsByStream(
  db: Db,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<(MutedTopicRow & { user_id: UserId })[]> {
  const { rows } = await sql<MutedTopicRow & { user_id: UserId }>`
    select muted.user_id, stream.name, muted.topic, muted.muted_at
    from muted_topic muted
    join stream on stream.organization_id = muted.organization_id and stream.id = muted.stream_id
    where muted.organization_id = ${organization_id} and muted.user_id in (
      select user_id from muted_topic where organization_id = ${organization_id} and stream_id = ${stream_id})
    order by muted.user_id, muted.muted_at, muted.stream_id, muted.folded_topic`.execute(db)
  return rows
}

/** Returns false if the topic was already muted. */
export async function insertMutedTopic(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  stream_id: StreamId,
  topic: string,
): Promise<boolean> {
  // Uses the time of the statement, because the transaction may have begun earlier and waited for a
  // lock.
  const { rows } = await sql`
    insert into muted_topic (organization_id, user_id, stream_id, topic, folded_topic, muted_at)
    values (${organization_id}, ${user_id}, ${stream_id}, ${topic}, ${foldTopic(topic)}, clock_timestamp())
    on conflict do nothing returning user_id`.execute(tx)
  return rows.length > 0
}

/** Returns false if the topic was not muted. */
export async function deleteMutedTopic(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  stream_id: StreamId,
  topic: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('muted_topic')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('stream_id', '=', stream_id)
    .where('folded_topic', '=', foldTopic(topic))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteMutedTopicsOfStream(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<void> {
  await tx
    .deleteFrom('muted_topic')
    .where('organization_id', '=', organization_id)
    .where('stream_id', '=', stream_id)
    .execute()
}

/**
 * Deletes muted topics of users who can no longer see the stream: members and guests who were never
 * subscribed.
 */
export async function deleteMutedTopicsOfNonMembers(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<void> {
  await sql`
    delete from muted_topic muted using user_account u
    where muted.organization_id = ${organization_id} and muted.stream_id = ${stream_id}
      and u.organization_id = ${organization_id} and u.id = muted.user_id and u.role > 200
      and not exists (
        select from subscription s
        where s.organization_id = ${organization_id} and s.user_id = muted.user_id and s.stream_id = ${stream_id})`.execute(
    tx,
  )
}

/** Deletes a user's muted topics in streams that they can no longer see. */
export async function deleteMutedTopicsOfUser(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
  streams: readonly StreamId[],
): Promise<void> {
  if (streams.length === 0) return
  await tx
    .deleteFrom('muted_topic')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where((eb) => eb('stream_id', '=', eb.fn.any(eb.val([...streams]))))
    .execute()
}

export async function countMutedTopics(tx: Tx, { organization_id, user_id }: AccountKey): Promise<number> {
  const { muted } = await tx
    .selectFrom('muted_topic')
    .select((eb) => eb.fn.countAll<number>().as('muted'))
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return muted
}
