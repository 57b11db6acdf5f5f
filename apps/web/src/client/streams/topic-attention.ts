import type { StreamId } from '@oxbow/contract'
import { Attention } from '@oxbow/contract/plain'
import { t } from '../../text/t.ts'
import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { applyOptimistically, type PendingEvent } from '../pending.ts'
import { offerUndo } from '../undo.ts'
import { attentionTo, isTopicMuted, streamsById } from './streams.ts'

/** Follows a topic or ends following it, optimistically, and offers to undo it. */
export function toggleFollow(stream_id: StreamId, topic: string): Promise<void> {
  const isFollowed = attentionTo(stream_id, topic) === Attention.followed
  return isFollowed
    ? change(stream_id, topic, Attention.none, t('topic.unfollowed', { topic }))
    : change(stream_id, topic, Attention.followed, t('topic.followed', { topic }))
}

/**
 * Mutes or unmutes a topic optimistically, and offers to undo it. A topic of a muted stream is unmuted by
 * itself.
 */
export function toggleTopicMute(stream_id: StreamId, topic: string): Promise<void> {
  const isStreamMuted = streamsById.value.get(stream_id)?.is_muted === true
  if (isTopicMuted(stream_id, topic))
    return change(
      stream_id,
      topic,
      isStreamMuted ? Attention.unmuted : Attention.none,
      t('muted.unmuted', { name: topic }),
    )
  const isException = isStreamMuted && attentionTo(stream_id, topic) !== Attention.none
  return change(
    stream_id,
    topic,
    isException ? Attention.none : Attention.muted,
    t('message.topic_muted', { topic }),
  )
}

/** Ends the muting of a topic itself optimistically, and offers to undo it. */
export const unmuteTopic = (stream_id: StreamId, topic: string): Promise<void> =>
  change(stream_id, topic, Attention.none, t('muted.unmuted', { name: topic }))

async function change(
  stream_id: StreamId,
  topic: string,
  policy: Attention,
  undoText: string,
): Promise<void> {
  const before = attentionTo(stream_id, topic)
  if (await setAttention(stream_id, topic, policy))
    offerUndo(undoText, () => void setAttention(stream_id, topic, before))
}

/** Sets the attention to a topic optimistically. Returns whether the server accepted it. */
function setAttention(stream_id: StreamId, topic: string, visibility_policy: Attention): Promise<boolean> {
  const last_updated = Math.floor(Date.now() / 1_000)
  const event: PendingEvent = {
    type: 'user_topic',
    stream_id,
    topic_name: topic,
    last_updated,
    visibility_policy,
  }
  return awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      client.subscriptions.setAttention({ stream_id, topic, visibility_policy }, options),
    ),
  )
}
