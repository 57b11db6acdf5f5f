import type { StreamId, StreamRight } from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { decideByStream, decideByValue } from '../streams/access.ts'
import { type AccountKey, listStreamsById, loadActors } from '../streams/queries.ts'
import type { AccessedMessage } from './access.ts'
import { hasTopic } from './topic-queries.ts'

/** Returns whether streams give an account a right to a message. */
export type GivesRight = (right: StreamRight) => boolean

export const givesNone: GivesRight = () => false

type Place = Pick<AccessedMessage, 'is_private' | 'recipient_id' | 'sent_recipient_id'>

/**
 * Loads which rights an account has to a message through its stream. If the message was moved, the stream that
 * it was sent to must give the right too, so that nobody gains a right by moving messages.
 */
export async function loadMessageRights(db: Db, account: AccountKey, message: Place): Promise<GivesRight> {
  if (message.is_private) return givesNone
  const ids = [...new Set([message.recipient_id, message.sent_recipient_id] as StreamId[])]
  const streams = await listStreamsById(db, account, ids)
  if (streams.some(({ rights }) => Object.keys(rights).length === 0)) return givesNone
  const actors = await loadActors(db, account)
  return (right) => streams.every((stream) => decideByStream(stream, right, actors).allowed)
}

/** Returns whether an account may put messages under this topic: it exists, or the account may start topics. */
export async function mayUseTopic(
  db: Db,
  account: AccountKey,
  { id, rights }: Pick<StreamRow, 'id' | 'rights'>,
  topic: string,
): Promise<boolean> {
  const value = rights.can_create_topic_group
  if (!value || decideByValue(value, await loadActors(db, account)).allowed) return true
  return hasTopic(db, account.organization_id, id, topic)
}
