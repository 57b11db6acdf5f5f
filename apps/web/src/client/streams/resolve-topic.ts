import type { MessageId, StreamId } from '@oxbow/contract'
import { isResolvedTopic, markTopic, unmarkTopic } from '@oxbow/contract/plain'
import { t } from '../../text/t.ts'
import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { offerUndo } from '../undo.ts'

/** Resolves a topic, or opens it again, and offers to undo it. */
export async function toggleResolved(stream_id: StreamId, topic: string): Promise<void> {
  if (!(await rename(stream_id, topic))) return
  const wasResolved = isResolvedTopic(topic)
  const name = unmarkTopic(topic)
  offerUndo(
    t(wasResolved ? 'topic.reopened' : 'topic.resolved', { topic: name }),
    () => void rename(stream_id, wasResolved ? name : markTopic(topic)),
  )
}

async function rename(stream_id: StreamId, topic: string): Promise<boolean> {
  return awaitOrShowRefusal(renameWhole(stream_id, topic))
}

/** Gives all messages of a topic the name with the mark, or without it. Throws the server's refusal. */
async function renameWhole(stream_id: StreamId, topic: string): Promise<void> {
  const message_id = await findMessageOf(stream_id, topic)
  // Someone else has deleted, moved or renamed the whole topic meanwhile.
  if (message_id === undefined) return
  await client.messages.edit({
    message_id,
    topic: isResolvedTopic(topic) ? unmarkTopic(topic) : markTopic(topic),
    propagate_mode: 'change_all',
  })
}

async function findMessageOf(stream_id: StreamId, topic: string): Promise<MessageId | undefined> {
  const narrow = [
    { operator: 'stream', operand: stream_id },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = await client.messages.list({ anchor: 'newest', num_before: 1, num_after: 0, narrow })
  return messages[0]?.id
}
