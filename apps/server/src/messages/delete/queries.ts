import type { MessageId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { toViewer } from '../../streams/access.ts'
import { canReadHistory } from '../../streams/history.ts'
import type { StreamWithMembership } from '../../streams/queries.ts'
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
 * Waits for transactions that star or react to one of these messages, and blocks new ones, so that
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
 * Lists up to `limit` of the newest messages of a topic with ids below `below`. If the reader may
 * not read the stream's history, lists only messages that the reader received.
 */
export async function listNewestOfTopic(
  db: Db,
  reader: Reader,
  stream: StreamWithMembership,
  foldedTopic: string,
  { below, limit }: { below: number; limit: number },
): Promise<TopicMessage[]> {
  const isVisible = canReadHistory(stream, toViewer(reader, stream)) ? sql`true` : isReceived(reader)
  const { rows } = await sql<TopicMessage>`
    select m.id, m.sent_recipient_id, m.outbox_id, m.topic
    from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.recipient_id = ${stream.id} and m.folded_topic = ${foldedTopic}
      and m.id < ${below} and ${isVisible}
    order by m.id desc limit ${limit}`.execute(db)
  return rows
}
