import type { WindowMessage } from '@oxbow/sdk/windows'
import { focusComposer } from '../composer/focus.ts'
import { quoteMessage } from '../composer/quote.ts'
import { changeDraft, draftOf } from '../data/drafts.ts'
import { targetOf } from '../data/message-target.ts'
import { nameOf } from '../data/names.ts'
import { awaitOrShowRefusal } from './act.ts'
import { linkToMessage } from './copy-link.ts'
import { fetchSource } from './edit.ts'

/** Adds a quotation of a message to the draft of its conversation. */
export async function quote(message: WindowMessage): Promise<void> {
  const target = targetOf(message)
  const source = fetchSource(message)
  if (!(await awaitOrShowRefusal(source))) return
  const author = { name: nameOf(message.sender_id), user_id: message.sender_id }
  const text = quoteMessage(await source, author, linkToMessage(message))
  const { content } = draftOf(target)
  changeDraft(target, { content: content === '' ? text : `${content.trimEnd()}\n\n${text}` })
  focusComposer()
}
