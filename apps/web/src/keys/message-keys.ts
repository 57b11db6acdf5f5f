import type { WindowMessage } from '@oxbow/sdk/windows'
import { copyLink, routeOfMessage } from '../actions/copy-link.ts'
import { markUnreadFrom } from '../actions/mark-unread.ts'
import { toggleTopicMute } from '../actions/mute-topic.ts'
import { quote } from '../actions/quote.ts'
import { toggleReaction } from '../actions/react.ts'
import { replyTo } from '../actions/reply.ts'
import { toggleStar } from '../actions/star.ts'
import { openComposer } from '../composer/open-composer.ts'
import { singleKeys } from '../data/device-settings.ts'
import { openDialog } from '../data/dialogs.ts'
import { activeMessage, editedMessage } from '../data/editing.ts'
import { showCard } from '../data/person-card.ts'
import { ownId } from '../data/store.ts'
import { streamName } from '../data/streams.ts'
import { peekMessage } from '../data/windows.ts'
import { openLightbox } from '../messages/lightbox.ts'
import { isTyping } from '../messages/roving-focus.ts'
import { mentionPerson, routeToWrite } from '../people/person-actions.ts'
import { streamRoute } from '../router/route.ts'
import { openRoute } from '../router/router.ts'
import { t } from '../text/t.ts'
import { isSingleKey, type KeyBinding, nameKey } from './binding.ts'

const thumbsUp = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const

interface MessageKey extends KeyBinding {
  does(message: WindowMessage): void
}

/** Keys for the focused message, or else for the message under the pointer. */
export const messageKeys: readonly MessageKey[] = [
  {
    id: 'reply',
    keys: ['r', 'Enter'],
    text: () => t('message.reply'),
    does: (message) => void replyTo(message),
  },
  { id: 'reply-privately', keys: ['R'], text: () => t('keys.reply_privately'), does: replyPrivately },
  {
    id: 'reply-mentioning',
    keys: ['@'],
    text: () => t('keys.reply_mentioning'),
    does: (message) => mentionPerson(message.sender_id, replyTo(message)),
  },
  { id: 'quote', keys: ['>'], text: () => t('message.quote'), does: (message) => void quote(message) },
  {
    id: 'edit',
    keys: ['e'],
    text: () => t('message.edit'),
    does: ({ id, sender_id }) => {
      if (sender_id === ownId.peek()) editedMessage.value = id
    },
  },
  {
    id: 'move',
    keys: ['m'],
    text: () => t('message.move'),
    does: (message) => {
      if (message.stream_id !== undefined) openDialog.value = { kind: 'move', message }
    },
  },
  {
    id: 'mute-topic',
    keys: ['M'],
    text: () => t('message.mute_topic'),
    does: ({ stream_id, topic }) => {
      if (stream_id !== undefined) void toggleTopicMute(stream_id, topic)
    },
  },
  {
    id: 'history',
    keys: ['H'],
    text: () => t('message.history'),
    does: (message) => {
      if (message.last_edit_timestamp !== undefined) openDialog.value = { kind: 'history', message }
    },
  },
  {
    id: 'react',
    keys: [':'],
    text: () => t('message.react'),
    does: ({ id }) => pressInToolbar(id, 'dialog'),
  },
  {
    id: 'thumbs-up',
    keys: ['+'],
    text: () => t('keys.thumbs_up'),
    does: (message) => void toggleReaction(message, thumbsUp),
  },
  {
    id: 'same-reaction',
    keys: ['='],
    text: () => t('keys.same_reaction'),
    does: (message) => {
      const [first] = message.reactions
      if (first) void toggleReaction(message, first)
    },
  },
  { id: 'star', keys: ['Mod+s'], text: () => t('message.star'), does: (message) => void toggleStar(message) },
  {
    id: 'mark-unread',
    keys: ['U'],
    text: () => t('message.mark_unread'),
    does: (message) => void markUnreadFrom(message),
  },
  {
    id: 'copy-link',
    keys: ['l'],
    text: () => t('message.copy_link'),
    does: (message) => void copyLink(message),
  },
  { id: 'actions', keys: ['i'], text: () => t('message.menu'), does: ({ id }) => pressInToolbar(id, 'menu') },
  {
    id: 'sender',
    keys: ['u'],
    text: () => t('keys.sender'),
    does: ({ id, sender_id }) => {
      const row = findRow(id)?.querySelector<HTMLElement>('.Row-message')
      if (row) showCard(sender_id, row.querySelector<HTMLElement>('.RowHead-name') ?? row)
    },
  },
  { id: 'pictures', keys: ['v'], text: () => t('keys.pictures'), does: ({ id }) => showPictures(id) },
  {
    id: 'fold',
    keys: ['-'],
    text: () => t('keys.fold'),
    does: ({ id }) => findRow(id)?.querySelector<HTMLElement>('.FoldedBody-button:not([hidden])')?.click(),
  },
  {
    id: 'to-topic',
    keys: ['s'],
    text: () => t('keys.to_topic'),
    does: (message) => openConversation(message),
  },
  {
    id: 'to-stream',
    keys: ['S'],
    text: () => t('keys.to_stream'),
    does: ({ stream_id }) => {
      if (stream_id !== undefined) openRoute(streamRoute({ stream_id, name: streamName(stream_id) }))
    },
  },
]

const findRow = (id: number): HTMLElement | null => document.querySelector(`.Row[data-id="${id}"]`)

/** Opens the private conversation with the sender and focuses its composer. */
function replyPrivately({ sender_id }: WindowMessage): void {
  openComposer({ type: 'private', user_ids: [sender_id] }, routeToWrite(sender_id))
}

/** Opens the topic or the private conversation of a message, at the message. */
const openConversation = (message: WindowMessage): void => openRoute(routeOfMessage(message))

/** Shows the pictures of the list, starting with the first picture of a message. */
function showPictures(id: number): void {
  const link = findRow(id)?.querySelector<HTMLAnchorElement>('.message_inline_image a')
  if (link) openLightbox(link)
}

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
    found.does(message)
  })
}

function findTarget(focused: Element): WindowMessage | undefined {
  const row = focused.closest<HTMLElement>('.Row[data-id]')
  const id = row ? Number(row.dataset.id) : activeMessage.peek()
  return id === undefined ? undefined : peekMessage(id as never)
}

/** Opens the emoji picker or the menu of the toolbar, once the toolbar is shown. */
function pressInToolbar(id: number, kind: 'dialog' | 'menu'): void {
  activeMessage.value = id
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`.Toolbar [aria-haspopup=${kind}]`)?.click(),
  )
}
