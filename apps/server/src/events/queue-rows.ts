import { randomBytes } from 'node:crypto'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { QueueOptions } from './queue-options.ts'

export interface NewQueue {
  organization_id: OrganizationId
  user_id: UserId
  cut_seq: number
  cut_snapshot: string
  options: QueueOptions
  lifespan_seconds: number
}

/** Nobody can guess the id of someone else's queue, though it would be of no use without their key. */
export async function insertQueue(tx: Tx, { options, ...queue }: NewQueue): Promise<string> {
  const id = randomBytes(15).toString('base64url')
  await tx
    .insertInto('event_queue')
    .values({ id, ...queue, options: JSON.stringify(options) })
    .execute()
  return id
}

export interface QueueRow {
  id: string
  organization_id: OrganizationId
  user_id: UserId
  cut_seq: number
  cut_snapshot: string
  options: QueueOptions
}

/** Thousands may be asked for at once, when a node dies and its clients go on elsewhere. */
export const findQueueRow = coalesce<string, QueueRow>(async (db, ids) => {
  const { rows } = await sql<QueueRow>`
    select id, organization_id, user_id, cut_seq, cut_snapshot::text, options
    from event_queue where id = any(${ids})`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
})

/** True if it was there. */
export async function deleteQueueRow(tx: Tx, organization_id: OrganizationId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('event_queue')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** For whoever deactivates accounts; the record of that ends the queues on every node. */
export async function deleteQueuesOf(
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

/** Not at every poll, and not before a good part of the lifespan has passed: most updates would say what is known. */
export async function touchQueues(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update event_queue set seen_at = now()
    where id = any(${ids}) and seen_at < now() - lifespan_seconds * interval '0.25 second'`.execute(db)
}

export interface ExpiredQueue {
  id: string
  organization_id: OrganizationId
}

export async function deleteExpiredQueues(tx: Tx): Promise<ExpiredQueue[]> {
  const { rows } = await sql<ExpiredQueue>`
    delete from event_queue where id in (
      select id from event_queue where seen_at < now() - lifespan_seconds * interval '1 second'
      limit 5000 for update skip locked
    ) returning id, organization_id`.execute(tx)
  return rows
}
