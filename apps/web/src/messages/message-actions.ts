import type { PermissionAction } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { changeFlag, isStarred } from '../client/messages/change-flag.ts'
import { editedMessage } from '../client/messages/editing.ts'
import { copyLink, copyText, routeOfMessage } from '../client/messages/links.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { streamRoute } from '../client/route/route.ts'
import { openRoute } from '../client/route/router.ts'
import { ownId, showsReaders } from '../client/store.ts'
import { isTopicFollowed, isTopicMuted, streamName } from '../client/streams/streams.ts'
import { toggleFollow, toggleTopicMute } from '../client/streams/topic-attention.ts'
import { openComposer } from '../composer/open-composer.ts'
import { quote } from '../composer/quote.ts'
import { replyTo } from '../composer/reply.ts'
import { openLightbox } from '../message-text/lightbox.ts'
import { mentionPerson, routeToWrite } from '../people/person-actions.ts'
import { showCard } from '../people/person-card.ts'
import { t } from '../text/t.ts'
import type { IconName } from '../ui/icon-names.generated.ts'
import type { KeyBinding } from '../ui/key-binding.ts'
import { findRow, markUnreadFrom, pressInToolbar } from './shown-rows.ts'
import { toggleReaction } from './toggle-reaction.ts'

/** Something that a person can do with a message: by keys, in the menu or in the toolbar of the message. */
export interface MessageAction extends Omit<KeyBinding, 'text' | 'keys'> {
  readonly keys?: KeyBinding['keys']
  readonly icon?: IconName
  /** Returns the name of the action; without a message, for the list of keys. */
  text(message?: WindowMessage): string
  /** Whether a message has this action; without it, every message has it. Reads signals. */
  isOffered?(message: WindowMessage): boolean
  /** The menu asks the server whether the user may do this. */
  readonly permission?: PermissionAction
  readonly isDanger?: true
  does(message: WindowMessage): void
}

const isInStream = ({ stream_id }: WindowMessage): boolean => stream_id !== undefined
const thumbsUp = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const

/** All actions of a message, in the order of the list of keys. */
export const messageActions = {
  reply: {
    id: 'reply',
    keys: ['r', 'Enter'],
    icon: 'reply',
    text: () => t('message.reply'),
    does: (message) => void replyTo(message),
  },
  replyPrivately: {
    id: 'reply-privately',
    keys: ['R'],
    text: () => t('keys.reply_privately'),
    does: ({ sender_id }) =>
      void openComposer({ type: 'private', user_ids: [sender_id] }, routeToWrite(sender_id)),
  },
  replyMentioning: {
    id: 'reply-mentioning',
    keys: ['@'],
    text: () => t('keys.reply_mentioning'),
    does: (message) => mentionPerson(message.sender_id, replyTo(message)),
  },
  quote: {
    id: 'quote',
    keys: ['>'],
    icon: 'quote',
    text: () => t('message.quote'),
    does: (message) => void quote(message),
  },
  edit: {
    id: 'edit',
    keys: ['e'],
    icon: 'pencil',
    text: () => t('message.edit'),
    isOffered: ({ sender_id }) => sender_id === ownId.value,
    permission: 'edit_message',
    does: ({ id }) => {
      editedMessage.value = id
    },
  },
  remind: {
    id: 'remind',
    icon: 'clock',
    text: () => t('later.remind_menu'),
    does: (message) => showDialog({ kind: 'remind', message }),
  },
  move: {
    id: 'move',
    keys: ['m'],
    icon: 'folder-input',
    text: () => t('message.move'),
    isOffered: isInStream,
    permission: 'edit_topic',
    does: (message) => showDialog({ kind: 'move', message }),
  },
  muteTopic: {
    id: 'mute-topic',
    keys: ['M'],
    icon: 'bell-off',
    text: (message) => {
      const isMuted = message?.stream_id && isTopicMuted(message.stream_id, message.topic)
      return isMuted ? t('message.unmute_topic') : t('message.mute_topic')
    },
    isOffered: isInStream,
    does: ({ stream_id, topic }) => {
      if (stream_id !== undefined) void toggleTopicMute(stream_id, topic)
    },
  },
  followTopic: {
    id: 'follow-topic',
    keys: ['F'],
    icon: 'bell-plus',
    text: (message) => {
      const isFollowed = message?.stream_id && isTopicFollowed(message.stream_id, message.topic)
      return isFollowed ? t('topic.unfollow') : t('topic.follow')
    },
    isOffered: isInStream,
    does: ({ stream_id, topic }) => {
      if (stream_id !== undefined) void toggleFollow(stream_id, topic)
    },
  },
  history: {
    id: 'history',
    keys: ['H'],
    icon: 'history',
    text: () => t('message.history'),
    isOffered: ({ last_edit_timestamp }) => last_edit_timestamp !== undefined,
    does: (message) => showDialog({ kind: 'history', message }),
  },
  readers: {
    id: 'readers',
    icon: 'eye',
    text: () => t('readers.menu'),
    isOffered: () => showsReaders.value ?? false,
    does: (message) => showDialog({ kind: 'readers', message }),
  },
  react: {
    id: 'react',
    keys: [':'],
    text: () => t('message.react'),
    does: ({ id }) => pressInToolbar(id, 'dialog'),
  },
  thumbsUp: {
    id: 'thumbs-up',
    keys: ['+'],
    text: () => t('keys.thumbs_up'),
    does: (message) => void toggleReaction(message, thumbsUp),
  },
  sameReaction: {
    id: 'same-reaction',
    keys: ['='],
    text: () => t('keys.same_reaction'),
    does: (message) => {
      const [first] = message.reactions
      if (first) void toggleReaction(message, first)
    },
  },
  star: {
    id: 'star',
    keys: ['Mod+s'],
    icon: 'star',
    text: (message) => (message && isStarred(message) ? t('message.unstar') : t('message.star')),
    does: (message) => void changeFlag([message], 'starred', isStarred(message) ? 'remove' : 'add'),
  },
  markUnread: {
    id: 'mark-unread',
    keys: ['U'],
    icon: 'mail',
    text: () => t('message.mark_unread'),
    does: (message) => void markUnreadFrom(message),
  },
  copyLink: {
    id: 'copy-link',
    keys: ['l'],
    icon: 'link',
    text: () => t('message.copy_link'),
    does: (message) => void copyLink(message),
  },
  copyText: {
    id: 'copy-text',
    icon: 'copy',
    text: () => t('message.copy_text'),
    does: (message) => void copyText(message),
  },
  source: {
    id: 'source',
    icon: 'code',
    text: () => t('message.source'),
    does: (message) => showDialog({ kind: 'source', message }),
  },
  told: {
    id: 'told',
    icon: 'bell',
    text: () => t('message.told'),
    does: (message) => showDialog({ kind: 'told', message }),
  },
  remove: {
    id: 'delete',
    icon: 'trash-2',
    text: () => t('message.delete'),
    permission: 'delete_message',
    isDanger: true,
    does: (message) => showDialog({ kind: 'delete', message }),
  },
  menu: {
    id: 'actions',
    keys: ['i'],
    text: () => t('message.menu'),
    does: ({ id }) => pressInToolbar(id, 'menu'),
  },
  sender: {
    id: 'sender',
    keys: ['u'],
    text: () => t('keys.sender'),
    does: ({ id, sender_id }) => {
      const row = findRow(id)?.querySelector<HTMLElement>('.Row-message')
      if (row) showCard(sender_id, row.querySelector<HTMLElement>('.RowHead-name') ?? row)
    },
  },
  pictures: {
    id: 'pictures',
    keys: ['v'],
    text: () => t('keys.pictures'),
    does: ({ id }) => {
      const link = findRow(id)?.querySelector<HTMLAnchorElement>('.message_inline_image a')
      if (link) openLightbox(link)
    },
  },
  fold: {
    id: 'fold',
    keys: ['-'],
    text: () => t('keys.fold'),
    does: ({ id }) => findRow(id)?.querySelector<HTMLElement>('.FoldedBody-button:not([hidden])')?.click(),
  },
  toTopic: {
    id: 'to-topic',
    keys: ['s'],
    text: () => t('keys.to_topic'),
    does: (message) => openRoute(routeOfMessage(message)),
  },
  toStream: {
    id: 'to-stream',
    keys: ['S'],
    text: () => t('keys.to_stream'),
    does: ({ stream_id }) => {
      if (stream_id !== undefined) openRoute(streamRoute({ stream_id, name: streamName(stream_id) }))
    },
  },
} as const satisfies Readonly<Record<string, MessageAction>>
