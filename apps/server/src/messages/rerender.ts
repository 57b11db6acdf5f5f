import type { StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { lockRoles, lockStreamsShared } from '../platform/database/locks.ts'
import type { MessageRow, OrganizationRow, StreamRow, UserRow } from '../platform/database/tables.ts'
import { RetryTransaction } from '../platform/database/transaction.ts'
import { getConversationAudience, listMessageAudiences, type MessageAudience } from './audiences.ts'
import { listContentWords } from './search/words.ts'

/**
 * A locked message whose text or HTML the server itself changes, with the data that determines its
 * sender's address.
 */
export type MessageToRerender = Pick<
  MessageRow,
  'organization_id' | 'id' | 'sender_id' | 'is_private' | 'recipient_id' | 'content' | 'rendered_content'
> &
  Pick<MessageRow, 'sent_recipient_id' | 'outbox_id'> &
  Pick<OrganizationRow, 'inline_url_embed_preview' | 'email_address_visibility'> &
  Pick<UserRow, 'delivery_email' | 'bot_type'>

/**
 * Locks the stream and then the message, like an edit. Returns undefined if the message was
 * deleted.
 */
export async function lockMessageToRerender(
  tx: Tx,
  { organization_id, id }: Pick<MessageRow, 'organization_id' | 'id'>,
): Promise<MessageToRerender | undefined> {
  await lockRoles(tx, organization_id, 'shared')
  const location = await tx
    .selectFrom('message')
    .select(['is_private', 'recipient_id'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!location) return undefined
  if (!location.is_private) await lockStreamsShared(tx, [location.recipient_id as StreamId])
  const { rows } = await sql<MessageToRerender>`
    select m.organization_id, m.id, m.sender_id, m.is_private, m.recipient_id, m.content, m.rendered_content,
      m.sent_recipient_id, m.outbox_id, o.inline_url_embed_preview, o.email_address_visibility,
      coalesce(u.delivery_email, a.email) as delivery_email, coalesce(u.bot_type, a.bot_type) as bot_type
    from message m
    join organization o on o.id = m.organization_id
    left join user_account u on u.organization_id = m.organization_id and u.id = m.sender_id
    left join (select id, email, 1::smallint as bot_type from system_account) a on a.id = m.sender_id
    where m.organization_id = ${organization_id} and m.id = ${id}
    for no key update of m`.execute(tx)
  const [message] = rows
  if (message && message.recipient_id !== location.recipient_id)
    throw new RetryTransaction('the message was moved meanwhile')
  return message
}

/** Replaces the text of a locked message, and its entry in the search index. */
export async function updateRendered(
  tx: Tx,
  { organization_id, id, sender_id }: MessageToRerender,
  changed: { content?: string; rendered_content: string },
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ ...changed, words: listContentWords(sender_id, changed.rendered_content) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function listRerenderAudiences(tx: Tx, message: MessageToRerender): Promise<MessageAudience[]> {
  const { organization_id, is_private, recipient_id } = message
  if (is_private) return [await getConversationAudience(tx, organization_id, message)]
  const stream: StreamRow = await tx
    .selectFrom('stream')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', recipient_id as StreamId)
    .executeTakeFirstOrThrow()
  return listMessageAudiences(tx, stream, [message])
}
