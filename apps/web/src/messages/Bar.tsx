import './Bar.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { nameOf } from '../data/names.ts'
import { othersOf } from '../data/people.ts'
import { kindOf, streamName, streamsById } from '../data/streams.ts'
import { writeHash } from '../router/hash.ts'
import { privateRoute, streamRoute, topicRoute } from '../router/route.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import { Highlighted } from './Highlighted.tsx'
import { useHighlight } from './highlights.ts'

/** Names the conversation of the messages below it, and stays at the top while they are scrolled. */
export function Bar({ message }: { message: WindowMessage }) {
  return (
    <li class="Bar">
      <h2 class="Bar-title">
        {message.user_ids ? <People message={message} /> : <Topic message={message} />}
      </h2>
    </li>
  )
}

function Topic({ message: { id, stream_id, topic } }: { message: WindowMessage }) {
  const highlight = useHighlight(id)
  const stream = stream_id === undefined ? undefined : streamsById.value.get(stream_id)
  const slug = { stream_id: stream_id ?? 0, name: stream?.name ?? '' }
  return (
    <>
      {stream && <StreamShape kind={kindOf(stream)} color={stream.color} />}
      <a class="Cut Bar-stream" href={writeHash(streamRoute(slug))} tabIndex={-1}>
        <bdi>{streamName(slug.stream_id)}</bdi>
      </a>
      <span class="Bar-arrow" aria-hidden="true">
        <Icon name="chevron-right" />
      </span>
      <a class="Cut Bar-topic" href={writeHash(topicRoute(slug, topic))} tabIndex={-1}>
        <bdi>{highlight ? <Highlighted html={highlight.match_subject} /> : topic}</bdi>
      </a>
    </>
  )
}

function People({ message: { user_ids = [] } }: { message: WindowMessage }) {
  const others = othersOf(user_ids)
  const names = others.map(nameOf)
  return (
    <>
      <Icon name="message-square" />
      <a
        class="Cut Bar-topic"
        href={writeHash(privateRoute(others, names.length > 1 ? 'group' : (names[0] ?? '')))}
        tabIndex={-1}
      >
        <bdi>{t('messages.private_with', { names: names.join(', ') })}</bdi>
      </a>
    </>
  )
}
