import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Routes } from '../platform/http/bind.ts'
import { accessStream, toViewer } from '../streams/access.ts'
import { canReadHistory } from '../streams/history.ts'
import { deleteTopic } from './delete/delete-topic.ts'
import { listReceivedTopics, listTopicsOfStream } from './topic-queries.ts'

type Streams = typeof api.streams

async function listTopics(
  { db }: App,
  actor: Actor,
  { stream_id }: ParamsOf<Streams['topics']>,
): Promise<ResponseOf<Streams['topics']>> {
  const stream = await accessStream(db, actor, stream_id)
  const topics = canReadHistory(stream, toViewer(actor, stream))
    ? await listTopicsOfStream(db, actor, stream.id)
    : await listReceivedTopics(db, actor, stream.id)
  return { topics }
}

/** Endpoints under `/streams` that read or delete messages. */
export const topicRoutes: Pick<Routes<Streams>, 'topics' | 'deleteTopic'> = {
  topics: listTopics,
  deleteTopic,
}
