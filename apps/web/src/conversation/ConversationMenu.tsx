import type { UserId } from '@oxbow/contract'
import { isResolvedTopic } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import type { Target } from '../client/conversations/target.ts'
import { copyRouteLink } from '../client/messages/links.ts'
import { listUnread, markConversationRead } from '../client/messages/mark-read.ts'
import { newestShown } from '../client/messages/open-window.ts'
import { openDialog, showDialog } from '../client/open-dialogs.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { askPermission } from '../client/permissions.ts'
import { openSearch, termsOfView } from '../client/route/search.ts'
import { ownId } from '../client/store.ts'
import { toggleResolved } from '../client/streams/resolve-topic.ts'
import { isSideOpen, toggleSide } from '../frame/panes.ts'
import { togglePersonMute } from '../people/person-actions.ts'
import { listAttentionItems } from '../streams/attention-items.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { DateDialog } from './DateDialog.tsx'

/** The menu of the open topic or private conversation. */
export function ConversationMenu({ target }: { target: Target }) {
  const isOpened = useSignal(false)
  const items = () => [
    ...(target.type === 'private' ? listPersonItems(target.user_ids) : listTopicItems(target)),
    ...listCommonItems(target),
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
      {openDialog.value?.kind === 'date' && <DateDialog />}
    </>
  )
}

type TopicTarget = Extract<Target, { type: 'stream' }>

function listTopicItems({ stream_id, topic = '' }: TopicTarget): MenuItem[] {
  const message = newestShown.value
  const answer = message && askPermission('edit_topic', { message_id: message.id }).value
  const resolving = message && askPermission('resolve_topic', { message_id: message.id }).value
  return [
    ...listAttentionItems(stream_id, topic),
    ...(message
      ? [
          {
            text: t(isResolvedTopic(topic) ? 'topic.reopen' : 'topic.resolve'),
            icon: isResolvedTopic(topic) ? ('rotate-ccw' as const) : ('check' as const),
            refusal: resolving && !resolving.allowed ? resolving.reason : undefined,
            onSelect: () => void toggleResolved(stream_id, topic),
          },
          {
            text: t('conversation.move'),
            icon: 'folder-input' as const,
            refusal: answer && !answer.allowed ? answer.reason : undefined,
            onSelect: () => showDialog({ kind: 'move', message, scope: 'change_all' }),
          },
        ]
      : []),
  ]
}

function listPersonItems([user_id, ...more]: readonly UserId[]): MenuItem[] {
  if (user_id === undefined || more.length > 0 || user_id === ownId.value) return []
  const isMuted = isPersonMuted(user_id)
  return [
    { text: t('person.profile'), icon: 'user', href: `#people/${user_id}` },
    {
      text: isMuted ? t('person.unmute') : t('person.mute'),
      icon: isMuted ? 'volume-2' : 'bell-off',
      onSelect: () => void togglePersonMute(user_id, !isMuted),
    },
  ]
}

function listCommonItems(target: Target): MenuItem[] {
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
    { text: t('conversation.go_to_date'), icon: 'calendar', onSelect: () => showDialog({ kind: 'date' }) },
    { text: t('message.copy_link'), icon: 'link', onSelect: () => void copyRouteLink() },
    {
      text: isSideOpen.value ? t('header.side_close') : t('header.side_open'),
      icon: 'panel-right',
      onSelect: toggleSide,
    },
  ]
}
