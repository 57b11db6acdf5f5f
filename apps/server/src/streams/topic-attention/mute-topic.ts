import { ApiError, Attention, type api, foldName, type ParamsOf, type StreamId } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { accessStream, accessStreamByName } from '../access.ts'
import { findStreamById, findStreamByName } from '../queries.ts'
import { changeAttention, lockAttention } from './change-attention.ts'
import { findAttention } from './queries.ts'

type Params = ParamsOf<typeof api.subscriptions.muteTopic>

/** Mutes or unmutes a topic for clients that know only muting. Muting replaces other attention to the topic. */
export async function muteTopic(app: App, actor: Actor, params: Params): Promise<object> {
  if (params.stream === undefined && params.stream_id === undefined) throw new ApiError('STREAM_NOT_NAMED')
  if (params.stream !== undefined && params.stream_id !== undefined) throw new ApiError('STREAM_NAMED_TWICE')
  return writeAs(app, actor, async (tx) => {
    await lockAttention(tx, actor)
    await (params.op === 'add' ? addMutedTopic : removeMutedTopic)(tx, actor, params)
    return {}
  })
}

async function addMutedTopic(tx: Tx, actor: Actor, { stream, stream_id, topic }: Params): Promise<void> {
  const { id } =
    stream === undefined
      ? await accessStream(tx, actor, stream_id as StreamId)
      : await accessStreamByName(tx, actor, stream)
  if ((await findAttention(tx, actor, id, topic)) === Attention.muted)
    throw new ApiError('TOPIC_ALREADY_MUTED')
  await changeAttention(tx, actor, id, topic, Attention.muted)
}

/** Removes a muted topic. Access to the stream is not checked, because a user may always unmute. */
async function removeMutedTopic(tx: Tx, actor: Actor, { stream, stream_id, topic }: Params): Promise<void> {
  const found =
    stream === undefined
      ? await findStreamById(tx, actor, stream_id as StreamId)
      : await findStreamByName(tx, actor, foldName(stream))
  if (!found || (await findAttention(tx, actor, found.id, topic)) !== Attention.muted)
    throw new ApiError('TOPIC_NOT_MUTED')
  await changeAttention(tx, actor, found.id, topic, Attention.none)
}
