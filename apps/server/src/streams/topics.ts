import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessStream } from './access.ts'

type Streams = typeof api.streams

/** There are no messages yet, so no stream has a topic. */
export async function listTopics(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<Streams['topics']>,
): Promise<ResponseOf<Streams['topics']>> {
  await accessStream(app.db, actor, stream_id)
  return { topics: [] }
}

/** As above: there is nothing to delete, which is no error. */
export async function deleteTopic(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<Streams['deleteTopic']>,
): Promise<object> {
  await accessStream(app.db, actor, stream_id)
  return {}
}
