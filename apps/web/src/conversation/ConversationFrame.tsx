import type { StreamId, UserId } from '@oxbow/contract'
import type { ComponentChildren } from 'preact'
import { othersOf } from '../client/conversations/target.ts'
import { formatList } from '../client/formats/dates.ts'
import { openSegment } from '../client/messages/open-window.ts'
import { nameOf } from '../client/people/names.ts'
import { writeHash } from '../client/route/hash.ts'
import { streamRoute } from '../client/route/route.ts'
import { kindOf, knownStreams, streamName, streamsById } from '../client/streams/streams.ts'
import { Composer } from '../composer/Composer.tsx'
import { TypingLine } from '../composer/TypingLine.tsx'
import { lazyView } from '../frame/lazy-view.tsx'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { firstLine } from '../message-text/first-line.ts'
import { statusOf } from '../people/describe.ts'
import { PersonFace } from '../people/PersonFace.tsx'
import { JoinStream } from '../streams/JoinStream.tsx'
import { StreamHeading } from '../streams/StreamHeading.tsx'
import { StreamMenu } from '../streams/StreamMenu.tsx'
import { type Key, t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import { StreamShape } from '../ui/StreamShape.tsx'
import { ConversationMenu } from './ConversationMenu.tsx'
import type { ListKind } from './conversation-view.ts'

/** The frame around a list of messages: header and composer. */
export function ConversationFrame({ list, children }: { list: ListKind; children: ComponentChildren }) {
  switch (list.kind) {
    case 'topic':
      return <TopicFrame stream_id={list.stream_id} topic={list.topic} children={children} />
    case 'stream':
      return <StreamFrame stream_id={list.stream_id} children={children} />
    case 'private':
      return <PrivateFrame user_ids={list.user_ids} children={children} />
    case 'search':
      return <SearchFrame children={children} />
    default:
      return <FilterFrame kind={list.kind} children={children} />
  }
}

interface Inside {
  children: ComponentChildren
}

function TopicFrame({ stream_id, topic, children }: Inside & { stream_id: StreamId; topic: string }) {
  const stream = streamsById.value.get(stream_id)
  const name = stream?.name ?? streamName(stream_id)
  const heading = (
    <span class="Conversation-title">
      {stream && <StreamShape kind={kindOf(stream)} color={stream.color} />}
      <a class="Conversation-stream" href={writeHash(streamRoute({ stream_id, name: stream?.name ?? '' }))}>
        <bdi>{name}</bdi>
      </a>
      <Icon name="chevron-right" class="Conversation-arrow" />
      <span class="Conversation-topic">
        <bdi>{topic}</bdi>
      </span>
    </span>
  )
  return (
    <ViewFrame
      title={`${topic} · ${name}`}
      heading={heading}
      actions={<ConversationMenu target={{ type: 'stream', stream_id, topic }} />}
      composer={
        stream ? (
          <Composer target={{ type: 'stream', stream_id, topic }} />
        ) : (
          <JoinStream stream_id={stream_id} />
        )
      }
    >
      {children}
    </ViewFrame>
  )
}

function StreamFrame({ stream_id, children }: Inside & { stream_id: StreamId }) {
  const known = knownStreams.value.get(stream_id)
  const stream = streamsById.value.get(stream_id)
  const name = stream?.name ?? streamName(stream_id)
  const heading = known ? <StreamHeading stream={known} /> : undefined
  const facts = known?.description ? (
    <span class="Cut Conversation-about" title={known.description}>
      <bdi>{firstLine(known.rendered_description)}</bdi>
    </span>
  ) : undefined
  return (
    <ViewFrame
      title={name}
      heading={heading}
      facts={facts}
      actions={known && <StreamMenu stream={known} />}
      composer={
        stream ? <Composer target={{ type: 'stream', stream_id }} /> : <JoinStream stream_id={stream_id} />
      }
    >
      {children}
    </ViewFrame>
  )
}

/** Maximum number of avatars. */
const maxFaces = 4

function PrivateFrame({ user_ids, children }: Inside & { user_ids: readonly UserId[] }) {
  const others = othersOf(user_ids)
  const names = others.map(nameOf)
  const heading = (
    <span class="Conversation-title">
      <span class="Conversation-faces">
        {others.slice(0, maxFaces).map((user_id) => (
          <PersonFace key={user_id} user_id={user_id} />
        ))}
      </span>
      <span class="Conversation-topic">
        <bdi>{formatList(names)}</bdi>
      </span>
    </span>
  )
  return (
    <ViewFrame
      title={names.join(', ')}
      heading={heading}
      facts={others.length === 1 && <bdi>{statusOf(others[0] as UserId)}</bdi>}
      actions={<ConversationMenu target={{ type: 'private', user_ids: others }} />}
      composer={
        <>
          <TypingLine user_ids={others} />
          <Composer target={{ type: 'private', user_ids: others }} />
        </>
      }
    >
      {children}
    </ViewFrame>
  )
}

const SearchField = lazyView(() => import('../search/SearchField.tsx').then((module) => module.SearchField))

function SearchFrame({ children }: Inside) {
  return (
    <ViewFrame title={t('messages.search')} field={<SearchField />} facts={<Found />}>
      {children}
    </ViewFrame>
  )
}

/** Shows how many results of a search are loaded. */
function Found() {
  const segment = openSegment.value
  const count = segment?.ids.length ?? 0
  return (
    <span role="status">
      {segment && count > 0 && t(segment.from > 0 ? 'search.found_more' : 'search.found', { count })}
    </span>
  )
}

type FilterKind = Exclude<ListKind['kind'], 'topic' | 'stream' | 'private' | 'search'>

const filters: Record<FilterKind, [IconName, Key]> = {
  'all private': ['messages-square', 'nav.all_private'],
  mentions: ['at-sign', 'nav.mentions'],
  starred: ['star', 'nav.starred'],
  alerts: ['bell', 'messages.alerts'],
  followed: ['bell-ring', 'nav.followed'],
  all: ['inbox', 'nav.all_messages'],
}

function FilterFrame({ kind, children }: Inside & { kind: FilterKind }) {
  const [icon, key] = filters[kind]
  const title = t(key as 'nav.starred')
  const heading = (
    <span class="Conversation-title">
      <Icon name={icon} class="Conversation-icon" />
      {title}
    </span>
  )
  return (
    <ViewFrame title={title} heading={heading}>
      {children}
    </ViewFrame>
  )
}
