import type { MessageId, StreamId } from '@oxbow/contract'
import type { Tx } from '../platform/database/database.ts'
import { lockStreamsShared } from '../platform/database/locks.ts'
import { RetryTransaction } from '../platform/database/transaction.ts'
import { listStreamsById } from '../streams/queries.ts'
import { type AccessedMessage, accessMessageToChange, lockMessageAgainstDeletion } from './access.ts'
import { getConversationAudience, listMessageAudiences, type MessageAudience } from './audiences.ts'
import type { Reader } from './visibility.ts'

/**
 * Loads a message that the reader may react to or add submessages to. Prevents the message from
 * being moved or deleted until the transaction ends.
 */
export async function lockMessageAgainstMoveAndDeletion(
  tx: Tx,
  reader: Reader,
  id: MessageId,
): Promise<AccessedMessage> {
  const accessed = await accessMessageToChange(tx, reader, id)
  if (!accessed.is_private) await lockStreamsShared(tx, [accessed.recipient_id as StreamId])
  const message = await lockMessageAgainstDeletion(tx, reader, id)
  if (message.recipient_id !== accessed.recipient_id)
    throw new RetryTransaction('the message was moved meanwhile')
  return message
}

/**
 * Returns the audiences of an event about a locked message: users who have access to the message
 * and are subscribed, starred it or reacted to it. For an event about a reaction, this must be
 * called while the reaction exists: after inserting it or before deleting it.
 */
export async function listCurrentAudiences(
  tx: Tx,
  reader: Reader,
  message: AccessedMessage,
): Promise<MessageAudience[]> {
  if (message.is_private) return [await getConversationAudience(tx, reader.organization_id, message)]
  const [stream] = await listStreamsById(tx, reader, [message.recipient_id as StreamId])
  if (!stream) throw new Error(`the stream of message ${message.id} does not exist`)
  return listMessageAudiences(tx, stream, [message])
}
