import './Bar.css'
import type { StreamId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { othersOf } from '../client/conversations/target.ts'
import { nameOf } from '../client/people/names.ts'
import { writeHash } from '../client/route/hash.ts'
import { privateRoute, streamRoute, topicRoute } from '../client/route/route.ts'
import { kindOf, streamName, streamsById } from '../client/streams/streams.ts'
import { renderBody } from '../message-text/enrich.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
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
  const slug = { stream_id: stream_id as StreamId, name: stream?.name ?? '' }
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

const placeOfNames = '\u0000'

function People({ message: { user_ids = [] } }: { message: WindowMessage }) {
  const others = othersOf(user_ids)
  const names = others.map(nameOf)
  // The names are cut at their end also if their direction is not that of the sentence around them.
  const [before, after] = t('messages.private_with', { names: placeOfNames }).split(placeOfNames)
  return (
    <>
      <Icon name="message-square" />
      <a
        class="Bar-topic Bar-people"
        href={writeHash(privateRoute(others, names.length > 1 ? 'group' : (names[0] ?? '')))}
        tabIndex={-1}
      >
        <span>{before}</span>
        <bdi class="Cut">{names.join(', ')}</bdi>
        <span>{after}</span>
      </a>
    </>
  )
}

/** A line of text in which the server has marked the matches of a search. */
function Highlighted({ html }: { html: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    ref.current?.replaceChildren(renderBody(html))
  }, [html])
  return <span ref={ref} />
}
