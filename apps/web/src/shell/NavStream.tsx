import './NavStream.css'
import type { StreamId, Subscription } from '@oxbow/contract'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { unreadByStream } from '../client/conversations/unread.ts'
import { hasView } from '../client/route/has-route.ts'
import { findConversation, findStreamId, streamRoute, topicRoute } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { topicsOf } from '../client/streams/stream-facts.ts'
import { isTopicFollowed, kindOf } from '../client/streams/streams.ts'
import { StreamMenu } from '../streams/StreamMenu.tsx'
import { t } from '../text/t.ts'
import { Count } from '../ui/Count.tsx'
import { FollowedMark } from '../ui/FollowedMark.tsx'
import { Icon } from '../ui/Icon.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import { NavRow } from './NavRow.tsx'

/** Ids of streams that the user toggled: open streams are then collapsed, and other streams expanded. */
const toggled = signal<ReadonlySet<number>>(new Set())

/** Maximum number of unread topics below a stream. */
const maxTopics = 10

/** A stream in the nav, with its topics while it is open or expanded. */
export function NavStream({ stream }: { stream: Subscription }) {
  const { stream_id, name, color, is_muted } = stream
  const unread = unreadByStream.value.get(stream_id)
  const topics = listTopics(stream_id)
  const isOpen = (findStreamId(route.value) === stream_id) !== toggled.value.has(stream_id)
  const topicCount = isOpen ? topicsOf.known(stream_id)?.length : undefined
  const toggle = () => {
    const next = new Set(toggled.value)
    if (!next.delete(stream_id)) next.add(stream_id)
    toggled.value = next
  }
  const look = is_muted ? 'muted' : unread && unread.count > 0 ? 'strong' : 'usual'
  // Hundreds of menus would take long to show, so each is made when it can be reached.
  const [hasMenu, setMenu] = useState(false)
  const addMenu = () => setMenu(true)
  return (
    <li class="NavStream" onPointerEnter={addMenu} onFocusCapture={addMenu}>
      <NavRow
        to={streamRoute({ stream_id, name })}
        mark={<StreamShape kind={kindOf(stream)} color={color} />}
        look={look}
        counts={<StreamCounts stream={stream} />}
      >
        <bdi>{name}</bdi>
        <span class="Spoken"> {kindTexts[kindOf(stream)]()}</span>
      </NavRow>
      {hasMenu && <StreamMenu stream={stream} look="NavStream-menu" />}
      {(topics.length > 0 || isOpen) && (
        <button
          type="button"
          class="NavStream-fold"
          aria-expanded={isOpen}
          aria-label={t('nav.unfold', { stream: name })}
          onClick={toggle}
        >
          <Icon name="chevron-right" />
        </button>
      )}
      {isOpen && (
        <ul class="NavStream-topics">
          {topics.map(({ topic, count, isMuted, isFollowed, hasMention }) => (
            <li key={topic}>
              <NavRow
                to={topicRoute({ stream_id, name }, topic)}
                mark={null}
                look="inner"
                counts={
                  <Count
                    count={count}
                    label={t(isMuted ? 'nav.muted_unread' : 'nav.unread', { count })}
                    look={isMuted ? 'muted' : hasMention ? 'about-you' : 'usual'}
                  />
                }
              >
                <bdi>{topic}</bdi>
                {isFollowed && <FollowedMark />}
              </NavRow>
            </li>
          ))}
          {hasView('topics') && (
            <li>
              <NavRow to={{ view: 'topics', stream: { stream_id, name } }} mark={null} look="inner">
                {topicCount === undefined
                  ? t('nav.all_topics')
                  : t('nav.all_topics_counted', { count: topicCount })}
              </NavRow>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

const kindTexts = {
  public: () => t('nav.public'),
  private: () => t('nav.private_stream'),
  announcement: () => t('nav.announcement'),
}

function StreamCounts({ stream: { stream_id, is_muted } }: { stream: Subscription }) {
  const unread = unreadByStream.value.get(stream_id)
  if (!unread) return null
  const { count, mutedCount, hasMention } = unread
  return (
    <>
      {hasMention && (
        <span class="NavStream-mention">
          <Icon name="at-sign" />
          <span class="Spoken">{t('nav.mentioned')}</span>
        </span>
      )}
      {count > 0 ? (
        <Count count={count} label={t('nav.unread', { count })} />
      ) : (
        is_muted && (
          <Count count={mutedCount} label={t('nav.muted_unread', { count: mutedCount })} look="muted" />
        )
      )}
    </>
  )
}

interface TopicRow {
  topic: string
  count: number
  isMuted: boolean
  isFollowed: boolean
  hasMention: boolean
}

/** Lists the unread topics of a stream, and the open one. */
function listTopics(stream_id: StreamId): TopicRow[] {
  const rows: TopicRow[] = (unreadByStream.value.get(stream_id)?.topics ?? [])
    .slice(0, maxTopics)
    .map(({ ids, ...topic }) => ({ ...topic, count: ids.length }))
  const open = findConversation(route.value)
  if (open?.type !== 'stream' || open.stream_id !== stream_id) return rows
  const isListed = rows.some(({ topic }) => topic.toLowerCase() === open.topic.toLowerCase())
  if (isListed) return rows
  const isFollowed = isTopicFollowed(stream_id, open.topic)
  return [{ topic: open.topic, count: 0, isMuted: false, isFollowed, hasMention: false }, ...rows]
}
