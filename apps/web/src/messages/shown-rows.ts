// Actions on the rows of messages that are on the screen.

import type { MessageId } from '@oxbow/contract'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { conversationKey } from '../client/conversations/target.ts'
import { changeFlag } from '../client/messages/change-flag.ts'
import { activeMessage, suspendsReadMarks } from '../client/messages/editing.ts'
import { peekMessage } from '../client/messages/windows.ts'

/** Marks a message, and the later shown messages of its conversation, as unread. */
export async function markUnreadFrom(first: WindowMessage): Promise<void> {
  const key = conversationKey(first)
  const later = [...document.querySelectorAll<HTMLElement>('.Row[data-id]')].flatMap(({ dataset }) => {
    const message = peekMessage(Number(dataset.id) as MessageId)
    return message && message.id >= first.id && conversationKey(message) === key ? [message] : []
  })
  suspendsReadMarks.value = true
  await changeFlag(
    later.filter(({ flags }) => flags & flagBits.read),
    'read',
    'remove',
  )
}

/** Returns the row of a message, if it is shown. */
export const findRow = (id: number): HTMLElement | null => document.querySelector(`.Row[data-id="${id}"]`)

/** Opens the emoji picker or the menu of the toolbar, once the toolbar is shown. */
export function pressInToolbar(id: number, kind: 'dialog' | 'menu'): void {
  activeMessage.value = id
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`.Toolbar [aria-haspopup=${kind}]`)?.click(),
  )
}
