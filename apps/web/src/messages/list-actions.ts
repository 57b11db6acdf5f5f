import type { PermissionAction } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { copyLink, copyText } from '../actions/copy-link.ts'
import { markUnreadFrom } from '../actions/mark-unread.ts'
import { toggleTopicMute } from '../actions/mute-topic.ts'
import { quote } from '../actions/quote.ts'
import { replyTo } from '../actions/reply.ts'
import { openDialog } from '../data/dialogs.ts'
import { editedMessage } from '../data/editing.ts'
import { askPermission } from '../data/permissions.ts'
import { ownId } from '../data/store.ts'
import { isTopicMutedByItself } from '../data/streams.ts'
import { t } from '../text/t.ts'
import type { MenuItem } from '../ui/Menu.tsx'

/** Lists the actions of a message. Fetches which of them are allowed. Reads signals. */
export function listActions(message: WindowMessage): MenuItem[] {
  const { id, stream_id, topic, sender_id, last_edit_timestamp } = message
  const isOwn = sender_id === ownId.value
  const refusalOf = (action: PermissionAction): string | undefined => {
    const answer = askPermission(action, { message_id: id }).value
    return answer && !answer.allowed ? answer.reason : undefined
  }
  const open = (kind: 'move' | 'delete' | 'history' | 'source') => () => {
    openDialog.value = { kind, message }
  }
  const edit: MenuItem = {
    text: t('message.edit'),
    icon: 'pencil',
    refusal: refusalOf('edit_message'),
    onSelect: () => {
      editedMessage.value = id
    },
  }
  const inStream: MenuItem[] =
    stream_id === undefined
      ? []
      : [
          {
            text: t('message.move'),
            icon: 'folder-input',
            refusal: refusalOf('edit_topic'),
            onSelect: open('move'),
          },
          {
            text: isTopicMutedByItself(stream_id, topic)
              ? t('message.unmute_topic')
              : t('message.mute_topic'),
            icon: 'bell-off',
            onSelect: () => void toggleTopicMute(stream_id, topic),
          },
        ]
  return [
    { text: t('message.reply'), icon: 'reply', onSelect: () => void replyTo(message) },
    { text: t('message.quote'), icon: 'quote', onSelect: () => void quote(message) },
    ...(isOwn ? [edit] : []),
    {
      text: t('later.remind_menu'),
      icon: 'clock',
      onSelect: () => {
        openDialog.value = { kind: 'remind', message }
      },
    },
    { text: t('message.copy_link'), icon: 'link', startsGroup: true, onSelect: () => void copyLink(message) },
    { text: t('message.copy_text'), icon: 'copy', onSelect: () => void copyText(message) },
    { text: t('message.source'), icon: 'code', onSelect: open('source') },
    ...(last_edit_timestamp === undefined
      ? []
      : [{ text: t('message.history'), icon: 'history' as const, onSelect: open('history') }]),
    {
      text: t('message.mark_unread'),
      icon: 'mail',
      startsGroup: true,
      onSelect: () => void markUnreadFrom(message),
    },
    ...inStream,
    {
      text: t('message.delete'),
      icon: 'trash-2',
      isDanger: true,
      startsGroup: true,
      refusal: refusalOf('delete_message'),
      onSelect: open('delete'),
    },
  ]
}
