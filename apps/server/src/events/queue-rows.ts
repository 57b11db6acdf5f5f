import { randomBytes } from 'node:crypto'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { emit } from './emit.ts'
import type { QueueOptions } from './queue-options.ts'

export interface NewQueue {
  organization_id: OrganizationId
  user_id: UserId
  cut_seq: number
  cut_snapshot: string
  options: QueueOptions
  lifespan_seconds: number
}

/**
 * Inserts the queue and returns its id, which is random, so that nobody can guess the queue of another user.
 */
export async function insertQueue(tx: Tx, { options, ...queue }: NewQueue): Promise<string> {
  const id = randomBytes(15).toString('base64url')
  await tx
    .insertInto('event_queue')
    .values({ id, ...queue, options: JSON.stringify(options) })
    .execute()
  return id
}

export async function countQueues(
  db: Db,
  { organization_id, user_id }: Pick<NewQueue, 'organization_id' | 'user_id'>,
): Promise<number> {
  const { queues } = await db
    .selectFrom('event_queue')
    .select((eb) => eb.fn.countAll<number>().as('queues'))
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return queues
}

export interface QueueRow {
  id: string
  organization_id: OrganizationId
  user_id: UserId
  cut_seq: number
  cut_snapshot: string
  options: QueueOptions
}

/** Lookups are coalesced, because thousands of clients move to another node at once when their node dies. */
export const findQueueRow = coalesce<string, QueueRow>(async (db, ids) => {
  const { rows } = await sql<QueueRow>`
    select id, organization_id, user_id, cut_seq, cut_snapshot::text, options
    from event_queue where id = any(${ids})`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
})

/** Deletes the queue. Returns whether it existed. */
export async function deleteQueueRow(tx: Tx, organization_id: OrganizationId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('event_queue')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Deletes all queues of accounts that are deactivated. The record of the deactivation ends the queues on
 * every node.
 */
export async function deleteQueues(
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly UserId[],
): Promise<void> {
  await tx
    .deleteFrom('event_queue')
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', users)
    .execute()
}

/** Deletes all queues of an account that stays active, and ends them on every node. */
export async function endQueues(tx: Tx, organization_id: OrganizationId, user: UserId): Promise<void> {
  const rows = await tx
    .deleteFrom('event_queue')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user)
    .returning('id')
    .execute()
  const ended = rows.map(({ id }) => id)
  if (ended.length > 0) emit(tx, { organization_id, effects: [{ kind: 'queues', ended }] })
}

export interface PolledQueue {
  id: string
  /** Seconds since the last poll of the queue. */
  age: number
}

/**
 * Saves when queues were polled and returns the ids of the updated rows. A row is updated only after a
 * quarter of its lifespan, because earlier updates would only add writes.
 */
export async function saveQueuePolls(db: Db, polled: readonly PolledQueue[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update event_queue set seen_at = now() - polled.age * interval '1 second'
    from unnest(${polled.map(({ id }) => id)}::text[], ${polled.map(({ age }) => age)}::float8[]) as polled (id, age)
    where event_queue.id = polled.id
      and seen_at < now() - lifespan_seconds * interval '0.25 second'
      and seen_at < now() - polled.age * interval '1 second'
    returning event_queue.id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface ExpiredQueue {
  id: string
  organization_id: OrganizationId
}

/** Maximum number of queues that are deleted in one transaction. */
export const maxExpiredPerBatch = 5_000

/**
 * Deletes expired queues a little later than their lifespan, because the newest polls may not be saved yet.
 */
export async function deleteExpiredQueues(tx: Tx): Promise<ExpiredQueue[]> {
  const { rows } = await sql<ExpiredQueue>`
    delete from event_queue where id in (
      select id from event_queue
      where seen_at < now() - (lifespan_seconds + least(20, lifespan_seconds * 0.25)) * interval '1 second'
      limit ${sql.lit(maxExpiredPerBatch)} for update skip locked
    ) returning id, organization_id`.execute(tx)
  return rows
}
