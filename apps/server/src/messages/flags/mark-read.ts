import {
  ApiError,
  type api,
  foldTopic,
  maxUnreadMessages,
  type ParamsOf,
  type StreamId,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { accessStream } from '../../streams/access.ts'
import { selectUnreadElsewhere, selectUnreadWhereSent } from '../unread/selections.ts'
import type { Reader } from '../visibility.ts'
import { emitAllRead, emitFlags } from './events.ts'
import { lockReadState, type ReadState } from './lock-read-state.ts'
import { markAllReadToHorizon, markStreamReadToHorizon } from './mark-to-horizon.ts'
import { markRead, type SentMessage } from './marks.ts'
import { hasReceivedInTopic } from './topic-queries.ts'

export function markAllRead(app: App, actor: Actor): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await markAllReadToHorizon(tx, actor, await lockReadState(app, tx, actor))
    emitAllRead(tx, actor)
    return {}
  })
}

export function markStreamRead(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<typeof api.messages.markStreamRead>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const state = await lockReadState(app, tx, actor)
    await accessStream(tx, actor, stream_id)
    return markWholeStreamRead(tx, actor, state, stream_id)
  })
}

const columns = sql`m.id, m.sent_recipient_id`

/**
 * Lists the newest unread messages of a stream or one of its topics, up to `maxUnreadMessages`,
 * in ascending order.
 */
async function listUnreadInStream(
  db: Db,
  reader: Reader,
  stream: StreamId,
  foldedTopic?: string,
): Promise<SentMessage[]> {
  const range = { stream, ...(foldedTopic !== undefined && { foldedTopic }) }
  const { rows } = await sql<SentMessage>`
    select * from (
      select * from (
        ${selectUnreadWhereSent(reader, columns, range)} union ${selectUnreadElsewhere(reader, columns, range)}
      ) as unread
      order by id desc limit ${maxUnreadMessages}
    ) as newest
    order by id`.execute(db)
  return rows
}

export function markTopicRead(
  app: App,
  actor: Actor,
  { stream_id, topic_name }: ParamsOf<typeof api.messages.markTopicRead>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const state = await lockReadState(app, tx, actor)
    await accessStream(tx, actor, stream_id)
    if (topic_name.trim() === '') return markWholeStreamRead(tx, actor, state, stream_id)
    const folded = foldTopic(topic_name)
    if (!(await hasReceivedInTopic(tx, actor, stream_id, folded)))
      throw new ApiError('NO_SUCH_TOPIC', { topic: topic_name })
    const unread = await listUnreadInStream(tx, actor, stream_id, folded)
    await markRead(tx, actor, state, unread)
    emitFlags(tx, actor, 'add', 'read', getIds(unread))
    return {}
  })
}

/**
 * Marks a whole stream as read. Messages that were moved into the stream or are above the horizon
 * get read marks, because the stream's read position does not cover them.
 */
async function markWholeStreamRead(
  tx: Tx,
  actor: Actor,
  state: ReadState,
  stream: StreamId,
): Promise<object> {
  const unread = await listUnreadInStream(tx, actor, stream)
  const isBelowHorizon = ({ id, sent_recipient_id }: SentMessage) =>
    sent_recipient_id === stream && id <= state.settledTo
  if (unread.some(isBelowHorizon))
    await markStreamReadToHorizon(tx, actor, state, stream, getIds(unread.filter(isBelowHorizon)))
  await markRead(
    tx,
    actor,
    state,
    unread.filter((message) => !isBelowHorizon(message)),
  )
  emitFlags(tx, actor, 'add', 'read', getIds(unread))
  return {}
}

const getIds = (messages: readonly SentMessage[]) => messages.map(({ id }) => id)
