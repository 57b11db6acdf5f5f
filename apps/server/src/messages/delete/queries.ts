import type { MessageId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import type { AudienceKey } from '../audience-key.ts'
import { isReceived, joinOwn, type Reader } from '../visibility.ts'

export async function existsMessage(
  db: Db,
  organization_id: OrganizationId,
  id: MessageId,
): Promise<boolean> {
  const found = await db
    .selectFrom('message')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Whoever is just starring one of these or reacting to it is waited for, and nobody begins to: so everyone who has
 * something of it is known before it is deleted.
 */
export async function holdMessagesAlone(
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
 * The newest messages of a topic below this one, as many as this. Where the history of the stream is not for those who
 * came later, only what the reader received.
 */
export async function listNewestOfTopic(
  db: Db,
  reader: Reader,
  { id, history_public_to_subscribers }: Pick<StreamRow, 'id' | 'history_public_to_subscribers'>,
  foldedTopic: string,
  { below, limit }: { below: number; limit: number },
): Promise<TopicMessage[]> {
  const mayRead = history_public_to_subscribers ? sql`true` : isReceived(reader)
  const { rows } = await sql<TopicMessage>`
    select m.id, m.sent_recipient_id, m.outbox_id, m.topic
    from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.recipient_id = ${id} and m.folded_topic = ${foldedTopic}
      and m.id < ${below} and ${mayRead}
    order by m.id desc limit ${limit}`.execute(db)
  return rows
}
