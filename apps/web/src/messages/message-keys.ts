import type { WindowMessage } from '@oxbow/sdk/windows'
import { copyLink } from '../actions/copy-link.ts'
import { markUnreadFrom } from '../actions/mark-unread.ts'
import { toggleTopicMute } from '../actions/mute-topic.ts'
import { quote } from '../actions/quote.ts'
import { toggleReaction } from '../actions/react.ts'
import { toggleStar } from '../actions/star.ts'
import { focusComposer } from '../composer/focus.ts'
import { openDialog } from '../data/dialogs.ts'
import { activeMessage, editedMessage } from '../data/editing.ts'
import { showCard } from '../data/person-card.ts'
import { ownId } from '../data/store.ts'
import { peekMessage } from '../data/windows.ts'
import { isTyping } from './roving-focus.ts'

const thumbsUp = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const

/** Actions by key, for the focused message, or else the one under the pointer. */
const actions: Readonly<Record<string, (message: WindowMessage) => void>> = {
  r: focusComposer,
  Enter: focusComposer,
  '>': (message) => void quote(message),
  e: ({ id, sender_id }) => {
    if (sender_id === ownId.peek()) editedMessage.value = id
  },
  m: (message) => {
    if (message.stream_id !== undefined) openDialog.value = { kind: 'move', message }
  },
  M: ({ stream_id, topic }) => {
    if (stream_id !== undefined) void toggleTopicMute(stream_id, topic)
  },
  H: (message) => {
    if (message.last_edit_timestamp !== undefined) openDialog.value = { kind: 'history', message }
  },
  '+': (message) => void toggleReaction(message, thumbsUp),
  '=': (message) => {
    const [first] = message.reactions
    if (first) void toggleReaction(message, first)
  },
  ':': ({ id }) => openPicker(id),
  U: (message) => void markUnreadFrom(message),
  l: (message) => void copyLink(message),
  u: ({ id, sender_id }) => {
    const row = document.querySelector<HTMLElement>(`.Row[data-id="${id}"] .Row-message`)
    if (row) showCard(sender_id, row.querySelector<HTMLElement>('.RowHead-name') ?? row)
  },
}

/**
 * Enables single-key actions on messages, except while a field has the focus or something covers
 * the list.
 */
export function startMessageKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (event.defaultPrevented || altKey || !(target instanceof Element) || isTyping(target)) return
    if (document.querySelector('dialog[open], [popover]:popover-open:not(.Tooltip)')) return
    const isStar = (ctrlKey || metaKey) && key === 's'
    const act = isStar ? (message: WindowMessage) => void toggleStar(message) : actions[key]
    if (!act || ((ctrlKey || metaKey) && !isStar) || (key === 'Enter' && !target.matches('article'))) return
    const message = findTarget(target)
    if (!message) return
    event.preventDefault()
    act(message)
  })
}

function findTarget(focused: Element): WindowMessage | undefined {
  const row = focused.closest<HTMLElement>('.Row[data-id]')
  const id = row ? Number(row.dataset.id) : activeMessage.peek()
  return id === undefined ? undefined : peekMessage(id as never)
}

/** Opens the emoji picker of the toolbar, once the toolbar is shown. */
function openPicker(id: number): void {
  activeMessage.value = id
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.Toolbar [aria-haspopup=dialog]')?.click())
}
