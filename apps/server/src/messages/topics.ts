import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Routes } from '../platform/http/bind.ts'
import { accessStream } from '../streams/access.ts'
import { deleteTopic } from './delete/delete-topic.ts'
import { listReceivedTopics, listTopicsOfStream } from './topic-queries.ts'

type Streams = typeof api.streams

export async function listTopics(
  { db }: App,
  actor: Actor,
  { stream_id }: ParamsOf<Streams['topics']>,
): Promise<ResponseOf<Streams['topics']>> {
  const { id, history_public_to_subscribers } = await accessStream(db, actor, stream_id)
  const topics = history_public_to_subscribers
    ? await listTopicsOfStream(db, actor, id)
    : await listReceivedTopics(db, actor, id)
  return { topics }
}

/** The stream endpoints that concern messages. */
export const topicRoutes: Pick<Routes<Streams>, 'topics' | 'deleteTopic'> = {
  topics: listTopics,
  deleteTopic,
}
