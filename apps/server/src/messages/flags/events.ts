import type { EditableFlag, MessageFlagsEvent, UnreadDetails } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import type { ReceivedMessageDetails } from './queries.ts'

type FlagChange = Omit<MessageFlagsEvent, 'id' | 'type'>

type Account = Pick<Reader, 'organization_id' | 'user_id'>

function emitFlagChange(tx: Tx, { organization_id, user_id }: Account, change: FlagChange): void {
  emit(tx, {
    organization_id,
    event: { type: 'update_message_flags', ...change },
    to: { users: [user_id] },
  })
}

/**
 * Keeps a record small enough to be sent to the nodes in one message. A longer list becomes several
 * events.
 */
const maxMessagesPerRecord = 5_000

/** Emits a flag change to the account's own queues, even if no message changed. */
export function emitFlags(
  tx: Tx,
  reader: Account,
  operation: 'add' | 'remove',
  flag: EditableFlag,
  ids: readonly number[],
): void {
  for (const messages of splitIntoRecords(ids))
    emitFlagChange(tx, reader, { operation, flag, messages, all: false })
}

/** Emits that all messages of the account are read. */
export function emitAllRead(tx: Tx, reader: Reader): void {
  emitFlagChange(tx, reader, { operation: 'add', flag: 'read', messages: [], all: true })
}

/**
 * Emits that messages became unread. The event contains details of the messages, because clients do
 * not keep read messages.
 */
export function emitUnread(
  tx: Tx,
  reader: Reader,
  ids: readonly number[],
  unread: readonly ReceivedMessageDetails[],
): void {
  const details = new Map(unread.map((message) => [message.id as number, viewUnread(reader, message)]))
  for (const messages of splitIntoRecords(ids)) {
    const entries = messages.flatMap((id) => {
      const unreadDetails = details.get(id)
      return unreadDetails ? [[id, unreadDetails] as const] : []
    })
    const message_details = Object.fromEntries(entries)
    emitFlagChange(tx, reader, { operation: 'remove', flag: 'read', messages, all: false, message_details })
  }
}

function viewUnread({ user_id }: Reader, message: ReceivedMessageDetails): UnreadDetails {
  const { stream_id, topic, members, sender_id, is_mentioned, mentions_wildcard } = message
  const mentions = {
    ...(is_mentioned && { mentioned: true as const }),
    ...(mentions_wildcard && { wildcard_mentioned: true as const }),
  }
  if (stream_id !== null) return { type: 'stream', stream_id, topic, sender_id, ...mentions }
  const user_ids = (members ?? []).filter((id) => id !== user_id)
  return { type: 'private', user_ids, sender_id, ...mentions }
}

function* splitIntoRecords(ids: readonly number[]): Generator<FlagChange['messages']> {
  for (let start = 0; start === 0 || start < ids.length; start += maxMessagesPerRecord)
    yield ids.slice(start, start + maxMessagesPerRecord) as FlagChange['messages']
}
