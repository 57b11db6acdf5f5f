import './StreamTopics.css'
import { isResolvedTopic } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import { targetKey } from '../client/conversations/target.ts'
import { unreadByStream } from '../client/conversations/unread.ts'
import { streamRoute } from '../client/route/route.ts'
import { openRoute, route } from '../client/route/router.ts'
import { topicsOf } from '../client/streams/stream-facts.ts'
import { type KnownStream, knownStreams, streamIdsByName, streamsById } from '../client/streams/streams.ts'
import { focusedOnOpen } from '../client/writing/composer-focus.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { matchName, noMatch } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { pixelsOf } from '../ui/fixed-list.ts'
import { ListLoading } from '../ui/ListLoading.tsx'
import { JoinStream } from './JoinStream.tsx'
import { NoStream } from './NoStream.tsx'
import { StreamHeading } from './StreamHeading.tsx'
import { StreamMenu } from './StreamMenu.tsx'
import { streamHash } from './stream-routes.ts'
import { TopicRow, topicHash } from './TopicRow.tsx'

const rowRem = 2.75

/** The topics of a stream, newest first. */
export function StreamTopics() {
  const current = route.value
  if (current.view !== 'topics') return null
  const { stream_id = streamIdsByName.value.get(current.stream.name.toLowerCase()) } = current.stream
  const stream = knownStreams.value.get(stream_id ?? 0)
  return stream ? <Topics key={stream_id} stream={stream} /> : <NoStream stream_id={stream_id} />
}

function Topics({ stream }: { stream: KnownStream }) {
  const { stream_id, name } = stream
  const filter = useSignal('')
  const topics = topicsOf(stream_id).value
  const query = filter.value.trim()
  const showsResolved = useSignal(false)
  const open = topics?.filter((topic) => !isResolvedTopic(topic.name))
  const resolvedCount = (topics?.length ?? 0) - (open?.length ?? 0)
  const listed = showsResolved.value ? topics : open
  const shown = query === '' ? listed : topics?.filter((topic) => matchName(topic.name, query) < noMatch)
  const unread = new Map(
    unreadByStream.value.get(stream_id)?.topics.map((topic) => [topic.topic.toLowerCase(), topic]),
  )
  const isIn = streamsById.value.has(stream_id)
  const startTopic = () => {
    focusedOnOpen.value = targetKey({ type: 'stream', stream_id })
    openRoute(streamRoute({ stream_id, name }))
  }
  return (
    <ViewFrame
      title={t('streams.topics_of', { stream: name })}
      heading={<StreamHeading stream={stream} href={streamHash(stream)} />}
      facts={topics && t('streams.topic_count', { count: topics.length })}
      actions={<StreamMenu stream={stream} />}
      composer={!isIn && <JoinStream stream_id={stream_id} />}
    >
      <div class="StreamTopics">
        <div class="StreamTopics-tools">
          <input
            class="Field-input StreamTopics-filter"
            type="search"
            aria-label={t('streams.filter_topics')}
            placeholder={t('streams.filter_topics')}
            value={filter.value}
            onInput={({ currentTarget }) => {
              filter.value = currentTarget.value
            }}
          />
          {resolvedCount > 0 && (
            <Button
              icon="check"
              look="plain"
              aria-pressed={showsResolved.value}
              onClick={() => {
                showsResolved.value = !showsResolved.value
              }}
            >
              {t('topic.show_resolved', { count: resolvedCount })}
            </Button>
          )}
          {isIn && (
            <Button icon="message-square-plus" onClick={startTopic}>
              {t('streams.new_topic')}
            </Button>
          )}
        </div>
        {!shown && <ListLoading />}
        {shown?.length === 0 &&
          (query === '' && resolvedCount > 0 ? (
            <Empty icon="check" title={t('topic.all_resolved')} />
          ) : query === '' ? (
            <Empty icon="hash" title={t('empty.stream')} text={t('empty.stream_hint')} />
          ) : (
            <Empty icon="search" title={t('ui.no_matches')} />
          ))}
        {shown && shown.length > 0 && (
          <div class="StreamTopics-list">
            <FixedList
              label={t('streams.topics_of', { stream: name })}
              items={shown}
              rowHeight={pixelsOf(rowRem)}
              keyOf={(topic) => topic.name}
              onChoose={(topic) => {
                location.hash = topicHash(stream, topic.name)
              }}
            >
              {(topic, isActive) => (
                <TopicRow
                  stream={stream}
                  topic={topic.name}
                  unread={unread.get(topic.name.toLowerCase())}
                  isActive={isActive}
                />
              )}
            </FixedList>
          </div>
        )}
      </div>
    </ViewFrame>
  )
}
