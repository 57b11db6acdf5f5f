import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { suspendsReadMarks } from '../data/editing.ts'
import { conversationKey } from '../data/message-target.ts'
import { peekMessage } from '../data/windows.ts'
import { changeFlag } from './change-flag.ts'

/** Marks a message, and the later shown messages of its conversation, as unread. */
export async function markUnreadFrom(first: WindowMessage): Promise<void> {
  const key = conversationKey(first)
  const later = [...document.querySelectorAll<HTMLElement>('.Row[data-id]')].flatMap(({ dataset }) => {
    const message = peekMessage(Number(dataset.id) as never)
    return message && message.id >= first.id && conversationKey(message) === key ? [message] : []
  })
  suspendsReadMarks.value = true
  await changeFlag(
    later.filter(({ flags }) => flags & flagBits.read),
    'read',
    'remove',
  )
}
