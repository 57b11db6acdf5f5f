import type { MutedTopic, StreamId } from '@oxbow/contract'
import { t } from '../../text/t.ts'
import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { applyOptimistically, type PendingEvent } from '../pending.ts'
import { mutedTopics } from '../store.ts'
import { offerUndo } from '../undo.ts'
import { findStreamName, isTopicMutedByItself } from './streams.ts'

/** Mutes or unmutes a topic optimistically, and offers to undo muting. */
export async function toggleTopicMute(stream_id: StreamId, topic: string): Promise<void> {
  const stream = findStreamName(stream_id) ?? ''
  if (isTopicMutedByItself(stream_id, topic)) await changeMute(stream, topic, 'remove')
  else if (await changeMute(stream, topic, 'add'))
    offerUndo(t('message.topic_muted', { topic }), () => void changeMute(stream, topic, 'remove'))
}

/** Unmutes a topic optimistically, and offers to undo it. */
export async function unmuteTopic([stream, topic]: MutedTopic): Promise<void> {
  if (await changeMute(stream, topic, 'remove'))
    offerUndo(t('muted.unmuted', { name: topic }), () => void changeMute(stream, topic, 'add'))
}

/** Mutes or unmutes a topic optimistically. Returns whether the server accepted it. */
function changeMute(stream: string, topic: string, op: 'add' | 'remove'): Promise<boolean> {
  const isThis = ([name, each]: MutedTopic) => name === stream && each.toLowerCase() === topic.toLowerCase()
  const others = (mutedTopics.peek() ?? []).filter((muted) => !isThis(muted))
  const muted_topics: MutedTopic[] =
    op === 'add' ? [...others, [stream, topic, Math.floor(Date.now() / 1_000)]] : others
  const event: PendingEvent = { type: 'muted_topics', muted_topics }
  return awaitOrShowRefusal(
    applyOptimistically([event], (options) => client.subscriptions.muteTopic({ stream, topic, op }, options)),
  )
}
