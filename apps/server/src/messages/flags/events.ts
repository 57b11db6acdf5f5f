import type { EditableFlag, MessageFlagsEvent, UnreadDetails } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import type { UnreadableMessage } from './queries.ts'

type Told = Omit<MessageFlagsEvent, 'id' | 'type'>

type Account = Pick<Reader, 'organization_id' | 'user_id'>

function tell(tx: Tx, { organization_id, user_id }: Account, told: Told): void {
  emit(tx, {
    organization_id,
    event: { type: 'update_message_flags', ...told },
    to: { users: [user_id] },
  })
}

/** So many fit into a record that is carried whole; clients put together what comes in several. */
const mostInRecord = 5_000

/** To the account alone, and also where there is nothing to tell. */
export function tellFlags(
  tx: Tx,
  reader: Account,
  operation: 'add' | 'remove',
  flag: EditableFlag,
  ids: readonly number[],
): void {
  for (const messages of inGroups(ids)) tell(tx, reader, { operation, flag, messages, all: false })
}

/** Everything is read that the account has. */
export function tellAllRead(tx: Tx, reader: Reader): void {
  tell(tx, reader, { operation: 'add', flag: 'read', messages: [], all: true })
}

/** Clients forgot what they had read, so the event says what it is. */
export function tellUnread(
  tx: Tx,
  reader: Reader,
  ids: readonly number[],
  unread: readonly UnreadableMessage[],
): void {
  const details = new Map(unread.map((message) => [message.id as number, viewUnread(reader, message)]))
  for (const messages of inGroups(ids)) {
    const found = messages.flatMap((id) => {
      const known = details.get(id)
      return known ? [[id, known] as const] : []
    })
    const message_details = Object.fromEntries(found)
    tell(tx, reader, { operation: 'remove', flag: 'read', messages, all: false, message_details })
  }
}

function viewUnread({ user_id }: Reader, message: UnreadableMessage): UnreadDetails {
  const { stream_id, topic, members, sender_id, is_mentioned, mentions_wildcard } = message
  const mentions = {
    ...(is_mentioned && { mentioned: true as const }),
    ...(mentions_wildcard && { wildcard_mentioned: true as const }),
  }
  if (stream_id !== null) return { type: 'stream', stream_id, topic, sender_id, ...mentions }
  const user_ids = (members ?? []).filter((id) => id !== user_id)
  return { type: 'private', user_ids, sender_id, ...mentions }
}

function* inGroups(ids: readonly number[]): Generator<Told['messages']> {
  for (let start = 0; start === 0 || start < ids.length; start += mostInRecord)
    yield ids.slice(start, start + mostInRecord) as Told['messages']
}
