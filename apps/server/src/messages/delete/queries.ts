import type { MessageId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import type { AudienceKey } from '../columns.ts'
import { isReceived, joinOwn, type Reader } from '../visibility.ts'

export async function hasMessage(db: Db, organization_id: OrganizationId, id: MessageId): Promise<boolean> {
  const found = await db
    .selectFrom('message')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Waits for transactions that star or react to one of these messages and blocks new ones, so that
 * all affected users are known before the messages are deleted.
 */
export async function lockMessagesExclusively(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly MessageId[],
): Promise<void> {
  await sql`
    select from message where organization_id = ${organization_id} and id = any(${ids}::bigint[])
    order by id for update`.execute(tx)
}

export interface TopicMessage extends AudienceKey {
  topic: string
}

/**
 * Lists up to `limit` of the newest messages of a topic with ids below `below`; where the stream's
 * history is protected, only messages that the reader received.
 */
export async function listNewestOfTopic(
  db: Db,
  reader: Reader,
  { id, history_public_to_subscribers }: Pick<StreamRow, 'id' | 'history_public_to_subscribers'>,
  foldedTopic: string,
  { below, limit }: { below: number; limit: number },
): Promise<TopicMessage[]> {
  const isVisible = history_public_to_subscribers ? sql`true` : isReceived(reader)
  const { rows } = await sql<TopicMessage>`
    select m.id, m.sent_recipient_id, m.outbox_id, m.topic
    from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.recipient_id = ${id} and m.folded_topic = ${foldedTopic}
      and m.id < ${below} and ${isVisible}
    order by m.id desc limit ${limit}`.execute(db)
  return rows
}
