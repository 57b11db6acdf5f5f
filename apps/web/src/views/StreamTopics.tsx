import './StreamTopics.css'
import { useSignal } from '@preact/signals'
import { focusedOnOpen } from '../data/composer-focus.ts'
import { topicsOf } from '../data/stream-facts.ts'
import { type KnownStream, knownStreams, streamIdsByName, streamsById } from '../data/streams.ts'
import { targetKey } from '../data/target-key.ts'
import { unreadByStream } from '../data/unread.ts'
import { streamRoute } from '../router/route.ts'
import { openRoute, route } from '../router/router.ts'
import { ViewFrame } from '../shell/ViewFrame.tsx'
import { NoStream } from '../streams/NoStream.tsx'
import { StreamHeading } from '../streams/StreamHeading.tsx'
import { StreamMenu } from '../streams/StreamMenu.tsx'
import { streamHash } from '../streams/stream-routes.ts'
import { TopicRow, topicHash } from '../streams/TopicRow.tsx'
import { matchName, noMatch } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { pixelsOf } from '../ui/fixed-list.ts'
import { ListLoading } from './ConversationStates.tsx'
import { JoinStream } from './JoinStream.tsx'

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
  const shown = query === '' ? topics : topics?.filter((topic) => matchName(topic.name, query) < noMatch)
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
          {isIn && (
            <Button icon="message-square-plus" onClick={startTopic}>
              {t('streams.new_topic')}
            </Button>
          )}
        </div>
        {!shown && <ListLoading />}
        {shown?.length === 0 &&
          (query === '' ? (
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
