import { type api, foldTopic, type ParamsOf, type StreamId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { accessStream } from '../../streams/access.ts'
import { listMessageAudiences } from '../audiences.ts'
import { updateFirstMessage } from '../first-message.ts'
import { lockStreamsExclusively } from '../lock-streams.ts'
import { deleteMessages } from './delete-rows.ts'
import { emitStarRemovals } from './emit-star-removals.ts'
import { messagesDeleted } from './events.ts'
import { listNewestOfTopic, lockMessagesExclusively } from './queries.ts'

/** Number of messages deleted per transaction, which blocks senders to the stream until it ends. */
const batchSize = 5_000

/** Deletes a topic's messages in batches, newest first. Messages sent meanwhile are kept. */
export async function deleteTopic(
  app: App,
  actor: Actor,
  { stream_id, topic_name }: ParamsOf<typeof api.streams.deleteTopic>,
): Promise<object> {
  await accessStream(app.db, actor, stream_id)
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const deleted = await writeAs(app, actor, (tx) => deleteBatch(tx, actor, stream_id, topic_name, below), {
      skipsIdempotency: true,
    })
    if (deleted.length < batchSize) return {}
    below = deleted.at(-1) as number
  }
}

async function deleteBatch(
  tx: Tx,
  actor: Actor,
  stream_id: StreamId,
  topic: string,
  below: number,
): Promise<readonly number[]> {
  await lockStreamsExclusively(tx, actor, [stream_id])
  const stream = await accessStream(tx, actor, stream_id)
  const messages = await listNewestOfTopic(tx, actor, stream, foldTopic(topic), { below, limit: batchSize })
  const [newest] = messages
  if (!newest) return []
  const ids = messages.map(({ id }) => id)
  await lockMessagesExclusively(tx, actor.organization_id, ids)
  const audiences = await listMessageAudiences(tx, stream, messages.toReversed())
  await emitStarRemovals(tx, actor.organization_id, ids)
  await deleteMessages(tx, actor.organization_id, ids)
  for (const audience of audiences) {
    for (const emission of messagesDeleted(stream, newest.topic, audience)) emit(tx, emission)
  }
  await updateFirstMessage(tx, stream)
  return ids
}
