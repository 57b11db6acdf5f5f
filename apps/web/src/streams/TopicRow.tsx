import './TopicRow.css'
import { isResolvedTopic } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import { awaitOrShowRefusal } from '../client/act.ts'
import type { UnreadTopic } from '../client/conversations/unread.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { writeHash } from '../client/route/hash.ts'
import { topicRoute } from '../client/route/route.ts'
import { isAdministrator } from '../client/store.ts'
import { toggleResolved } from '../client/streams/resolve-topic.ts'
import { isTopicFollowed, isTopicMuted, type KnownStream, streamsById } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { FollowedMark } from '../ui/FollowedMark.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { listAttentionItems } from './attention-items.ts'
import { markStreamRead } from './mark-stream-read.ts'

/** Returns the URL fragment of a topic. */
export const topicHash = ({ stream_id, name }: KnownStream, topic: string): string =>
  writeHash(topicRoute({ stream_id, name }, topic))

export interface TopicRowProps {
  stream: KnownStream
  topic: string
  unread: UnreadTopic | undefined
  isActive: boolean
}

/** A topic in a list, with its unread count and a menu. */
export function TopicRow({ stream, topic, unread, isActive }: TopicRowProps) {
  const isOpened = useSignal(false)
  const isIn = streamsById.value.has(stream.stream_id)
  const isMuted = isIn && isTopicMuted(stream.stream_id, topic)
  const count = unread?.ids.length ?? 0
  const label = t('streams.topic_menu', { topic })
  return (
    <>
      <a
        class={`Cut TopicRow-name${count > 0 && !isMuted ? ' TopicRow-strong' : ''}`}
        href={topicHash(stream, topic)}
        tabIndex={isActive ? 0 : -1}
      >
        <bdi>{topic}</bdi>
      </a>
      {isTopicFollowed(stream.stream_id, topic) && <FollowedMark />}
      {isMuted && (
        <span class="TopicRow-muted">
          <Icon name="bell-off" />
          <span class="Spoken">{t('streams.muted')}</span>
        </span>
      )}
      {count > 0 && (
        <Count
          count={count}
          label={t(isMuted ? 'nav.muted_unread' : 'nav.unread', { count })}
          look={isMuted ? 'muted' : unread?.hasMention ? 'about-you' : 'usual'}
        />
      )}
      <Menu
        label={label}
        onOpen={() => {
          isOpened.value = true
        }}
        items={isOpened.value ? itemsFor(stream, topic, count > 0) : []}
        button={(properties) => (
          <IconButton icon="ellipsis" label={label} tabIndex={isActive ? 0 : -1} {...properties} />
        )}
      />
    </>
  )
}

function itemsFor(stream: KnownStream, topic: string, isUnread: boolean): MenuItem[] {
  const { stream_id } = stream
  const link = `${location.origin}/${topicHash(stream, topic)}`
  return [
    {
      text: t('streams.mark_read'),
      icon: 'check-check',
      refusal: isUnread ? undefined : t('inbox.empty'),
      onSelect: () => void markStreamRead(stream_id, topic),
    },
    {
      text: t(isResolvedTopic(topic) ? 'topic.reopen' : 'topic.resolve'),
      icon: isResolvedTopic(topic) ? 'rotate-ccw' : 'check',
      onSelect: () => void toggleResolved(stream_id, topic),
    },
    ...listAttentionItems(stream_id, topic),
    {
      text: t('message.copy_link'),
      icon: 'link',
      onSelect: () => void awaitOrShowRefusal(navigator.clipboard.writeText(link)),
    },
    {
      text: t('streams.delete_topic'),
      icon: 'trash-2',
      isDanger: true,
      startsGroup: true,
      refusal: isAdministrator.value ? undefined : t('streams.only_admins'),
      onSelect: () => {
        showDialog({ kind: 'delete topic', stream_id, topic })
      },
    },
  ]
}
