import type { StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import { isUnused, removeUploads } from '../../messages/attachments/remove-uploads.ts'
import { getConversationAudience, listMessageAudiences } from '../../messages/audiences.ts'
import { deleteMessages } from '../../messages/delete/delete-rows.ts'
import { emitStarRemovals } from '../../messages/delete/emit-star-removals.ts'
import { messagesDeleted, privateMessageDeleted } from '../../messages/delete/events.ts'
import { lockMessagesExclusively } from '../../messages/delete/queries.ts'
import { updateFirstMessage } from '../../messages/first-message.ts'
import { lockStreamsExclusively } from '../../messages/lock-streams.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  findDesertedConversation,
  findRecipientOfOwnMessage,
  listMessagesAt,
  lockOwnUploads,
  type MessageToDelete,
  type PersonKey,
} from './queries.ts'

/** Messages deleted per transaction. Users who send to the stream wait until it commits. */
const batchSize = 500

/** Deletes all messages that the person sent. Yields the number of messages deleted in each step. */
export async function* deleteOwnMessages({ db }: App, key: PersonKey): AsyncGenerator<number> {
  for (;;) {
    const place = await findRecipientOfOwnMessage(db, key)
    if (!place) return
    const { recipient_id, is_private } = place
    yield await inTransaction(db, async (tx) => {
      await lockRoles(tx, key.organization_id, 'shared')
      return is_private
        ? deleteInConversation(tx, key, { recipient_id, sender_id: key.user_id })
        : deleteInStream(tx, key, recipient_id as StreamId)
    })
  }
}

/**
 * Deletes all private messages in conversations without a remaining person, including messages of
 * bots. Yields the number of messages deleted in each step.
 */
export async function* deleteDesertedMessages({ db }: App, key: PersonKey): AsyncGenerator<number> {
  for (;;) {
    const recipient_id = await findDesertedConversation(db, key)
    if (recipient_id === undefined) return
    yield await inTransaction(db, async (tx) => {
      await lockRoles(tx, key.organization_id, 'shared')
      return deleteInConversation(tx, key, { recipient_id })
    })
  }
}

async function deleteInConversation(
  tx: Tx,
  key: PersonKey,
  selection: { recipient_id: number; sender_id?: PersonKey['user_id'] },
): Promise<number> {
  const messages = await listMessagesAt(tx, key, selection, batchSize)
  const [first] = messages
  if (!first) return 0
  const { organization_id } = key
  const ids = messages.map(({ id }) => id)
  await lockMessagesExclusively(tx, organization_id, ids)
  const { recipient_id } = selection
  const { to } = await getConversationAudience(tx, organization_id, { id: first.id, recipient_id })
  await deleteMessages(tx, organization_id, ids)
  emit(tx, {
    ...privateMessageDeleted(organization_id, { recipient_id }, { ids, to }),
    eventCount: ids.length,
  })
  return ids.length
}

async function deleteInStream(tx: Tx, key: PersonKey, id: StreamId): Promise<number> {
  const { organization_id, user_id: sender_id } = key
  const stream = (await lockStreamsExclusively(tx, key, [id])).get(id)
  if (!stream) throw new Error(`stream ${id} has messages and does not exist`)
  const messages = await listMessagesAt(tx, key, { recipient_id: id, sender_id }, batchSize)
  const ids = messages.map((message) => message.id)
  await lockMessagesExclusively(tx, organization_id, ids)
  const byTopic = Map.groupBy(messages, ({ folded_topic }) => folded_topic)
  for (const topicMessages of byTopic.values()) {
    const [{ topic }] = topicMessages as [MessageToDelete]
    for (const audience of await listMessageAudiences(tx, stream, topicMessages))
      for (const emission of messagesDeleted(stream, topic, audience)) emit(tx, emission)
  }
  await emitStarRemovals(tx, organization_id, ids)
  await deleteMessages(tx, organization_id, ids)
  await updateFirstMessage(tx, stream)
  return ids.length
}

/**
 * Deletes the person's uploads: all of them, or only those that no message refers to. Yields the
 * number of uploads deleted in each step.
 */
export async function* deleteOwnUploads(
  db: Db,
  key: PersonKey,
  which: 'all' | 'unused',
): AsyncGenerator<number> {
  const condition = which === 'all' ? sql<boolean>`true` : isUnused
  let removed: number
  do {
    removed = await inTransaction(db, async (tx) => {
      await lockRoles(tx, key.organization_id, 'shared')
      const ids = await lockOwnUploads(tx, key, condition, batchSize)
      // The condition is checked again, now that the uploads are locked.
      return (await removeUploads(tx, key.organization_id, ids, condition)).length
    })
    if (removed > 0) yield removed
  } while (removed > 0)
}
