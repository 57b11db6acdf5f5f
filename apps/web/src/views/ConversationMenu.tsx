import { useSignal } from '@preact/signals'
import { copyRouteLink } from '../actions/copy-link.ts'
import { listUnread, markConversationRead } from '../actions/mark-read.ts'
import { toggleTopicMute } from '../actions/mute-topic.ts'
import { openDialog } from '../data/dialogs.ts'
import { asksDate } from '../data/help-dialogs.ts'
import { isPersonMuted } from '../data/muted-people.ts'
import { newestShown } from '../data/open-window.ts'
import { askPermission } from '../data/permissions.ts'
import { openSearch, termsOfView } from '../data/search.ts'
import { ownId } from '../data/store.ts'
import { isTopicMuted, streamsById } from '../data/streams.ts'
import type { Target } from '../data/target.ts'
import { togglePersonMute } from '../people/person-actions.ts'
import { isSideOpen, toggleSide } from '../shell/panes.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { DateDialog } from './DateDialog.tsx'

/** The menu of the open topic or private conversation. */
export function ConversationMenu({ target }: { target: Target }) {
  const isOpened = useSignal(false)
  const items = () => [
    ...(target.type === 'private' ? listPersonItems(target.user_ids) : listTopicItems(target)),
    ...listCommonItems(target, () => {
      asksDate.value = true
    }),
  ]
  return (
    <>
      <Menu
        label={t('conversation.menu')}
        onOpen={() => {
          isOpened.value = true
        }}
        button={(properties) => <IconButton icon="ellipsis" label={t('conversation.menu')} {...properties} />}
        items={isOpened.value ? items() : []}
      />
      {asksDate.value && (
        <DateDialog
          onClose={() => {
            asksDate.value = false
          }}
        />
      )}
    </>
  )
}

type TopicTarget = Extract<Target, { type: 'stream' }>

function listTopicItems({ stream_id, topic = '' }: TopicTarget): MenuItem[] {
  const message = newestShown.value
  const answer = message && askPermission('edit_topic', { message_id: message.id }).value
  const isSubscribed = streamsById.value.has(stream_id)
  const isMuted = isSubscribed && isTopicMuted(stream_id, topic)
  return [
    ...(isSubscribed
      ? [
          {
            text: isMuted ? t('message.unmute_topic') : t('message.mute_topic'),
            icon: isMuted ? ('bell' as const) : ('bell-off' as const),
            refusal: streamsById.value.get(stream_id)?.is_muted ? t('streams.stream_is_muted') : undefined,
            onSelect: () => void toggleTopicMute(stream_id, topic),
          },
        ]
      : []),
    ...(message
      ? [
          {
            text: t('conversation.move'),
            icon: 'folder-input' as const,
            refusal: answer && !answer.allowed ? answer.reason : undefined,
            onSelect: () => {
              openDialog.value = { kind: 'move', message, scope: 'change_all' }
            },
          },
        ]
      : []),
  ]
}

function listPersonItems([user_id, ...more]: readonly number[]): MenuItem[] {
  if (user_id === undefined || more.length > 0 || user_id === ownId.value) return []
  const isMuted = isPersonMuted(user_id)
  return [
    { text: t('person.profile'), icon: 'user', href: `#people/${user_id}` },
    {
      text: isMuted ? t('person.unmute') : t('person.mute'),
      icon: isMuted ? 'volume-2' : 'bell-off',
      onSelect: () => togglePersonMute(user_id, !isMuted),
    },
  ]
}

function listCommonItems(target: Target, askDate: () => void): MenuItem[] {
  const hasUnread = listUnread(target).length > 0
  return [
    ...(hasUnread
      ? [
          {
            text: t('conversation.mark_read'),
            icon: 'check-check' as const,
            onSelect: () => void markConversationRead(target),
          },
        ]
      : []),
    {
      text: t('conversation.search'),
      icon: 'search',
      startsGroup: true,
      onSelect: () => openSearch(termsOfView()),
    },
    { text: t('conversation.go_to_date'), icon: 'calendar', onSelect: askDate },
    { text: t('message.copy_link'), icon: 'link', onSelect: () => void copyRouteLink() },
    {
      text: isSideOpen.value ? t('header.side_close') : t('header.side_open'),
      icon: 'panel-right',
      onSelect: toggleSide,
    },
  ]
}
