import { ApiError, type api, foldName, type ParamsOf, type StreamId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { accessStream, accessStreamByName } from '../access.ts'
import { findStreamById, findStreamByName } from '../queries.ts'
import { countMutedTopics, deleteMutedTopic, insertMutedTopic, listMutedTopics } from './queries.ts'
import { viewMutedTopic } from './views.ts'

type Params = ParamsOf<typeof api.subscriptions.muteTopic>

/** Limits the size of the event, which contains the complete list after every change. */
const maxMutedTopics = 1_000

export async function muteTopic(app: App, actor: Actor, params: Params): Promise<object> {
  if (params.stream === undefined && params.stream_id === undefined) throw new ApiError('STREAM_NOT_NAMED')
  if (params.stream !== undefined && params.stream_id !== undefined) throw new ApiError('STREAM_NAMED_TWICE')
  return writeAs(app, actor, async (tx) => {
    // The event contains names of streams, which must not change meanwhile.
    await lockStreamDirectory(tx, actor.organization_id, 'shared')
    await lockSettings(tx, actor)
    await (params.op === 'add' ? addMutedTopic : removeMutedTopic)(tx, actor, params)
    emit(tx, {
      organization_id: actor.organization_id,
      event: { type: 'muted_topics', muted_topics: (await listMutedTopics(tx, actor)).map(viewMutedTopic) },
      to: { users: [actor.user_id] },
    })
    return {}
  })
}

async function addMutedTopic(tx: Tx, actor: Actor, { stream, stream_id, topic }: Params): Promise<void> {
  const { id } =
    stream === undefined
      ? await accessStream(tx, actor, stream_id as StreamId)
      : await accessStreamByName(tx, actor, stream)
  if (!(await insertMutedTopic(tx, actor, id, topic))) throw new ApiError('TOPIC_ALREADY_MUTED')
  if ((await countMutedTopics(tx, actor)) > maxMutedTopics)
    throw new ApiError('TOO_MANY_MUTED_TOPICS', { limit: maxMutedTopics })
}

/** Removes a muted topic. Access to the stream is not checked, because a user may always unmute. */
async function removeMutedTopic(tx: Tx, actor: Actor, { stream, stream_id, topic }: Params): Promise<void> {
  const found =
    stream === undefined
      ? await findStreamById(tx, actor, stream_id as StreamId)
      : await findStreamByName(tx, actor, foldName(stream))
  if (!found || !(await deleteMutedTopic(tx, actor, found.id, topic))) throw new ApiError('TOPIC_NOT_MUTED')
}
