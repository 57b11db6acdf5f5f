import { ApiError, type api, type ParamsOf, type StreamId } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { accessStream } from '../../streams/access.ts'
import { foldTopic } from '../../streams/names.ts'
import { listUnreadIn } from '../unread/list-unread-in.ts'
import { tellAllRead, tellFlags } from './events.ts'
import { holdReadState, type ReadState } from './hold-read-state.ts'
import { jumpEverywhere, jumpInStream } from './jumps.ts'
import { markRead, type SentMessage } from './marks.ts'
import { hasReceivedIn } from './topic-queries.ts'

export function markAllRead(app: App, actor: Actor): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await jumpEverywhere(tx, actor, await holdReadState(app, tx, actor))
    tellAllRead(tx, actor)
    return {}
  })
}

export function markStreamRead(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<typeof api.messages.markStreamRead>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const state = await holdReadState(app, tx, actor)
    await accessStream(tx, actor, stream_id)
    return readStream(tx, actor, state, stream_id)
  })
}

export function markTopicRead(
  app: App,
  actor: Actor,
  { stream_id, topic_name }: ParamsOf<typeof api.messages.markTopicRead>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const state = await holdReadState(app, tx, actor)
    await accessStream(tx, actor, stream_id)
    if (topic_name.trim() === '') return readStream(tx, actor, state, stream_id)
    const folded = foldTopic(topic_name)
    if (!(await hasReceivedIn(tx, actor, stream_id, folded)))
      throw new ApiError('NO_SUCH_TOPIC', { topic: topic_name })
    const unread = await listUnreadIn(tx, actor, stream_id, folded)
    await markRead(tx, actor, state, unread)
    tellFlags(tx, actor, 'add', 'read', idsOf(unread))
    return {}
  })
}

/** What was moved into the stream, and what is above the horizon, the stream's number does not reach. */
async function readStream(tx: Tx, actor: Actor, state: ReadState, stream: StreamId): Promise<object> {
  const unread = await listUnreadIn(tx, actor, stream)
  const isReached = ({ id, sent_recipient_id }: SentMessage) =>
    sent_recipient_id === stream && id <= state.settled
  if (unread.some(isReached)) await jumpInStream(tx, actor, state, stream, idsOf(unread.filter(isReached)))
  await markRead(
    tx,
    actor,
    state,
    unread.filter((message) => !isReached(message)),
  )
  tellFlags(tx, actor, 'add', 'read', idsOf(unread))
  return {}
}

const idsOf = (messages: readonly SentMessage[]) => messages.map(({ id }) => id)
