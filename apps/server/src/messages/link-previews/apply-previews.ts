import type { MessageId } from '@oxbow/contract'
import { addPagePreviews, maxHtmlCharacters, type PageEmbed } from '@oxbow/markdown'
import { emit } from '../../events/emit.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { proxyPictures } from '../external-pictures/proxy-pictures.ts'
import { listRerenderAudiences, lockMessageToRerender, updateRendered } from '../rerender.ts'
import { messageRerendered } from './events.ts'
import { deleteRequest, hashContent, type RequestKey } from './requests.ts'

/**
 * Adds previews to a message and deletes the request. Does nothing if the message was deleted or
 * its text has changed. Flags, unread counts and the edit history do not change.
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
    const message = await lockMessageToRerender(tx, {
      organization_id: request.organization_id,
      id: request.message_id as MessageId,
    })
    const isOpen = await deleteRequest(tx, request)
    if (!isOpen || !message || !hashContent(message.content).equals(request.content_hash)) return
    if (!message.inline_url_embed_preview) return
    const html = addPagePreviews(message.rendered_content, pages)
    const rendered_content = proxyPictures(app, request.organization_id, html)
    if (rendered_content.length > maxHtmlCharacters) return
    await updateRendered(tx, message, { rendered_content })
    const sender = displayEmail(app.config, { ...message, id: message.sender_id })
    for (const audience of await listRerenderAudiences(tx, message))
      emit(tx, messageRerendered(message, { sender, rendered_content }, audience))
  })
}
