import type { MessageId, StreamId } from '@oxbow/contract'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamsShared } from '../../platform/database/locks.ts'
import { BeginAgain } from '../../platform/database/transaction.ts'
import { listStreamsById } from '../../streams/queries.ts'
import { type AccessedMessage, accessMessageToChange, lockMessageAgainstDeletion } from '../access.ts'
import { getConversationAudience, listMessageAudiences, type MessageAudience } from '../audiences.ts'
import type { Reader } from '../visibility.ts'

/** A message that the reader may react to. Until the transaction ends nobody moves or deletes it. */
export async function holdMessage(tx: Tx, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  const seen = await accessMessageToChange(tx, reader, id)
  if (!seen.is_private) await lockStreamsShared(tx, [seen.recipient_id as StreamId])
  const message = await lockMessageAgainstDeletion(tx, reader, id)
  if (message.recipient_id !== seen.recipient_id) throw new BeginAgain('the message was moved meanwhile')
  return message
}

/** Whoever reacts or did so hears of it too, so it is asked while the reaction is there. */
export async function whoHearsReactions(
  tx: Tx,
  reader: Reader,
  message: AccessedMessage,
): Promise<MessageAudience[]> {
  if (message.is_private) return [await getConversationAudience(tx, reader.organization_id, message)]
  const [stream] = await listStreamsById(tx, reader, [message.recipient_id as StreamId])
  if (!stream) throw new Error(`message ${message.id} is in no stream`)
  return listMessageAudiences(tx, stream, [message])
}
