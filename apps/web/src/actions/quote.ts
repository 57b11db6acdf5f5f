import type { WindowMessage } from '@oxbow/sdk/windows'
import { quoteMessage } from '../composer/quote.ts'
import { changeDraft, draftOf } from '../data/drafts.ts'
import { nameOf } from '../data/names.ts'
import { awaitOrShowRefusal } from './act.ts'
import { linkToMessage } from './copy-link.ts'
import { fetchSource } from './edit.ts'
import { replyTo } from './reply.ts'

/** Adds a quotation of a message to a composer that writes to its conversation. */
export async function quote(message: WindowMessage): Promise<void> {
  const source = fetchSource(message)
  if (!(await awaitOrShowRefusal(source))) return
  const author = { name: nameOf(message.sender_id), user_id: message.sender_id }
  const text = quoteMessage(await source, author, linkToMessage(message))
  const target = replyTo(message)
  const { content } = draftOf(target)
  changeDraft(target, { content: content === '' ? text : `${content.trimEnd()}\n\n${text}` })
}
