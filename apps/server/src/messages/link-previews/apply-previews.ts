import type { StreamId } from '@oxbow/contract'
import { addPagePreviews, maxHtmlCharacters, type PageEmbed } from '@oxbow/markdown'
import { sql } from 'kysely'
import { displayEmail } from '../../accounts/display-email.ts'
import { emit } from '../../events/emit.ts'
import { proxyPictures } from '../../external-pictures/proxy-pictures.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockRoles, lockStreamsShared } from '../../platform/database/locks.ts'
import type { MessageRow, OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { inTransaction, RetryTransaction } from '../../platform/database/transaction.ts'
import { getConversationAudience, listMessageAudiences, type MessageAudience } from '../audiences.ts'
import { listContentWords } from '../search/words.ts'
import { messageRerendered } from './events.ts'
import { deleteRequest, hashContent, type RequestKey } from './requests.ts'

/**
 * Adds previews to a message and ends the request. Does nothing where the message was deleted, or
 * has another text by now. Flags, unread counts and the edit history stay as they are.
 */
export async function applyPreviews(
  app: App,
  request: RequestKey,
  pages: readonly (readonly [link: string, PageEmbed])[],
): Promise<void> {
  if (pages.length === 0) {
    await deleteRequest(app.db, request)
    return
  }
  await inTransaction(app.db, async (tx) => {
    const message = await lockMessageInPlace(tx, request)
    const isOpen = await deleteRequest(tx, request)
    if (!isOpen || !message || !hashContent(message.content).equals(request.content_hash)) return
    if (!message.inline_url_embed_preview) return
    const html = addPagePreviews(message.rendered_content, pages)
    const rendered_content = proxyPictures(app, request.organization_id, html)
    if (rendered_content.length > maxHtmlCharacters) return
    await updateHtml(tx, message, rendered_content)
    const sender = displayEmail(app.config, { ...message, id: message.sender_id })
    for (const audience of await listAudiences(tx, message))
      emit(tx, messageRerendered(message, { sender, rendered_content }, audience))
  })
}

type MessageToPreview = Pick<
  MessageRow,
  'organization_id' | 'id' | 'sender_id' | 'is_private' | 'recipient_id' | 'content' | 'rendered_content'
> &
  Pick<MessageRow, 'sent_recipient_id' | 'outbox_id'> &
  Pick<OrganizationRow, 'inline_url_embed_preview' | 'email_address_visibility'> &
  Pick<UserRow, 'delivery_email' | 'bot_type'>

/** Locks the message like an edit does, after its stream. Undefined where it was deleted. */
async function lockMessageInPlace(
  tx: Tx,
  { organization_id, message_id }: RequestKey,
): Promise<MessageToPreview | undefined> {
  await lockRoles(tx, organization_id, 'shared')
  const location = await tx
    .selectFrom('message')
    .select(['is_private', 'recipient_id'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', message_id)
    .executeTakeFirst()
  if (!location) return undefined
  if (!location.is_private) await lockStreamsShared(tx, [location.recipient_id as StreamId])
  const { rows } = await sql<MessageToPreview>`
    select m.organization_id, m.id, m.sender_id, m.is_private, m.recipient_id, m.content, m.rendered_content,
      m.sent_recipient_id, m.outbox_id, o.inline_url_embed_preview, o.email_address_visibility, u.delivery_email, u.bot_type
    from message m
    join organization o on o.id = m.organization_id
    join user_account u on u.organization_id = m.organization_id and u.id = m.sender_id
    where m.organization_id = ${organization_id} and m.id = ${message_id}
    for no key update of m`.execute(tx)
  const [message] = rows
  if (message && message.recipient_id !== location.recipient_id)
    throw new RetryTransaction('the message was moved meanwhile')
  return message
}

async function updateHtml(
  tx: Tx,
  { organization_id, id, sender_id }: MessageToPreview,
  rendered_content: string,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ rendered_content, words: listContentWords(sender_id, rendered_content) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

async function listAudiences(tx: Tx, message: MessageToPreview): Promise<MessageAudience[]> {
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
