import { client } from '../data/client.ts'
import { isTopicMutedByItself } from '../data/streams.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'

/** Mutes or unmutes a topic, and offers to undo it. */
export async function toggleTopicMute(stream_id: number, topic: string): Promise<void> {
  const isMuted = isTopicMutedByItself(stream_id, topic)
  const change = (op: 'add' | 'remove') =>
    awaitOrShowRefusal(client.subscriptions.muteTopic({ stream_id: stream_id as never, topic, op }))
  if (!(await change(isMuted ? 'remove' : 'add')) || isMuted) return
  offerUndo(t('message.topic_muted', { topic }), () => void change('remove'))
}
