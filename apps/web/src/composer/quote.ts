import type { UserId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { awaitOrShowRefusal } from '../client/act.ts'
import { linkToMessage } from '../client/messages/links.ts'
import { fetchSource } from '../client/messages/source.ts'
import { nameOf } from '../client/people/names.ts'
import { changeDraft, draftOf } from '../client/writing/drafts.ts'
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

/** Returns the Markdown that quotes a message. The fence is longer than any fence inside the text. */
export function quoteMessage(
  source: string,
  author: { name: string; user_id: UserId },
  link: string,
): string {
  const longestFence = Math.max(2, ...Array.from(source.matchAll(/^`+/gm), ([ticks]) => ticks.length))
  const fence = '`'.repeat(longestFence + 1)
  return `@_**${author.name}|${author.user_id}** [said](${link}):\n${fence}quote\n${source.trimEnd()}\n${fence}\n`
}
