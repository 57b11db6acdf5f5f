import type { api, ParamsOf, StreamId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { accessStream } from '../../streams/access.ts'
import { foldTopic } from '../../streams/names.ts'
import { listMessageAudiences } from '../audiences.ts'
import { updateFirstMessage } from '../first-message.ts'
import { lockStreamsExclusively } from '../lock-streams.ts'
import { deleteMessages } from './delete-rows.ts'
import { messagesDeleted } from './events.ts'
import { holdMessagesAlone, listNewestOfTopic } from './queries.ts'
import { tellStarsGone } from './tell-stars.ts'

/** The stream is held while these are deleted, and whoever sends to it waits. */
const mostAtOnce = 5_000

/** Many messages are deleted in several transactions, from the newest on; what is sent meanwhile stays. */
export async function deleteTopic(
  app: App,
  actor: Actor,
  { stream_id, topic_name }: ParamsOf<typeof api.streams.deleteTopic>,
): Promise<object> {
  await accessStream(app.db, actor, stream_id)
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const deleted = await writeAs(app, actor, (tx) => deletePart(tx, actor, stream_id, topic_name, below), {
      skipsIdempotency: true,
    })
    if (deleted.length < mostAtOnce) return {}
    below = deleted.at(-1) as number
  }
}

async function deletePart(
  tx: Tx,
  actor: Actor,
  stream_id: StreamId,
  topic: string,
  below: number,
): Promise<readonly number[]> {
  await lockStreamsExclusively(tx, actor, [stream_id])
  const stream = await accessStream(tx, actor, stream_id)
  const messages = await listNewestOfTopic(tx, actor, stream, foldTopic(topic), { below, limit: mostAtOnce })
  const [newest] = messages
  if (!newest) return []
  const ids = messages.map(({ id }) => id)
  await holdMessagesAlone(tx, actor.organization_id, ids)
  const hearings = await listMessageAudiences(tx, stream, messages.toReversed())
  await tellStarsGone(tx, actor.organization_id, ids)
  await deleteMessages(tx, actor.organization_id, ids)
  for (const hearing of hearings) {
    for (const emission of messagesDeleted(stream, newest.topic, hearing)) emit(tx, emission)
  }
  await updateFirstMessage(tx, stream)
  return ids
}
