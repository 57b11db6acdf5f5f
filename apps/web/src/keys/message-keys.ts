import type { MessageId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { singleKeys } from '../client/device/device-settings.ts'
import { activeMessage } from '../client/messages/editing.ts'
import { peekMessage } from '../client/messages/windows.ts'
import { type MessageAction, messageActions } from '../messages/message-actions.ts'
import { isTyping } from '../messages/roving-focus.ts'
import { isSingleKey, type KeyBinding, nameKey } from '../ui/key-binding.ts'

type MessageKey = MessageAction & KeyBinding

/** Keys for the focused message, or else for the message under the pointer. */
export const messageKeys: readonly MessageKey[] = Object.values<MessageAction>(messageActions).filter(
  (action): action is MessageKey => action.keys !== undefined,
)

const byKey: ReadonlyMap<string, MessageKey> = new Map(
  messageKeys.flatMap((each) => each.keys.map((key) => [key, each] as const)),
)

/**
 * Enables single-key actions on messages, except while a field has the focus or a dialog or menu
 * covers the list.
 */
export function startMessageKeys(): void {
  addEventListener('keydown', (event) => {
    const { target } = event
    const name = nameKey(event)
    const found = byKey.get(name)
    if (!found || event.defaultPrevented || !(target instanceof Element) || isTyping(target)) return
    if (isSingleKey(name) && !singleKeys.peek()) return
    if (document.querySelector('dialog[open], [popover]:popover-open:not(.Tooltip)')) return
    if (name === 'Enter' && !target.matches('article')) return
    const message = findTarget(target)
    if (!message) return
    event.preventDefault()
    if (found.isOffered?.(message) ?? true) found.does(message)
  })
}

function findTarget(focused: Element): WindowMessage | undefined {
  const row = focused.closest<HTMLElement>('.Row[data-id]')
  const id = row ? Number(row.dataset.id) : activeMessage.peek()
  return id === undefined ? undefined : peekMessage(id as MessageId)
}
