import type { MessageId, OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Audience } from '../events/record.ts'
import type { Db } from '../platform/database/database.ts'
import type { MessageRow, StreamRow } from '../platform/database/tables.ts'
import { listKeepers, listStreamBounds } from './audience-queries.ts'
import type { Told } from './told.ts'

/** Messages of one stream or conversation, and who hears what happens to them. */
export interface Hearing {
  ids: MessageId[]
  to: Audience
  /** Whoever asks for all public streams hears of it too. */
  isPublic?: boolean
}

type Place = Pick<StreamRow, 'organization_id' | 'id' | 'invite_only' | 'history_public_to_subscribers'>

/**
 * Whoever is in the stream, and whoever keeps one of the messages for another reason. Where history is not for those who
 * came later, only whoever received a message: as many groups as there are different sets of such people.
 */
export async function whoHears(db: Db, stream: Place, messages: readonly Told[]): Promise<Hearing[]> {
  if (messages.length === 0) return []
  const keepers = await listKeepers(db, stream, messages.map(idOf))
  if (stream.history_public_to_subscribers) {
    const to = { stream: stream.id, ...usersOf(keepers) }
    return [{ ids: messages.map(idOf), to, isPublic: !stream.invite_only }]
  }
  const bounds = await listStreamBounds(db, stream, [...new Set(messages.map(sentTo))])
  const keptOf = Map.groupBy(keepers, ({ message_id }) => message_id)
  return groupByReceivers(messages, bounds).map((group) => {
    const [{ sent_recipient_id, outbox_id }] = group
    const received = { stream: sent_recipient_id, at: outbox_id }
    const kept = group.flatMap(({ id }) => keptOf.get(id) ?? [])
    return { ids: group.map(idOf), to: { stream: stream.id, received, ...usersOf(kept) } }
  })
}

/** Everyone in the conversation. */
export async function whoConverses(
  db: Db,
  organization_id: OrganizationId,
  { id, recipient_id }: Pick<MessageRow, 'id' | 'recipient_id'>,
): Promise<Hearing> {
  const { rows } = await sql<{ members: UserId[] }>`
    select members from conversation where organization_id = ${organization_id} and id = ${recipient_id}`.execute(
    db,
  )
  return { ids: [id], to: { users: rows[0]?.members ?? [] } }
}

type Group<Item> = [Item, ...Item[]]

/**
 * Messages between whose records nobody came into the stream that they were sent to, or left it, went to the same
 * people. `bounds` are the outbox ids at which someone did, by stream, ascending.
 */
export function groupByReceivers<Message extends Told>(
  messages: readonly Message[],
  bounds: ReadonlyMap<number, readonly number[]>,
): Group<Message>[] {
  const groups = Map.groupBy(
    messages,
    ({ sent_recipient_id, outbox_id }) =>
      `${sent_recipient_id} ${countUpTo(bounds.get(sent_recipient_id) ?? [], outbox_id)}`,
  )
  return [...groups.values()] as Group<Message>[]
}

/** How many of these, which ascend, are not above the limit. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

const idOf = ({ id }: Told): MessageId => id
const sentTo = ({ sent_recipient_id }: Told): number => sent_recipient_id

function usersOf(keepers: readonly { user_id: UserId }[]): Pick<Audience, 'users'> {
  if (keepers.length === 0) return {}
  return { users: [...new Set(keepers.map(({ user_id }) => user_id))] }
}
