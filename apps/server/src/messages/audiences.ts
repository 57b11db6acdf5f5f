import type { MessageId, OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Audience } from '../events/record.ts'
import type { Db } from '../platform/database/database.ts'
import type { MessageRow, StreamRow } from '../platform/database/tables.ts'
import { type Keeper, listKeepers, listStreamBounds } from './audience-queries.ts'
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
 * First whoever is in the stream: where history is not for those who came later, only whoever received a message, in as
 * many groups as there are different sets of such people. Then whoever keeps some of the messages for another reason,
 * about those and no others. `places` are the streams whose people hear of all of them in any case.
 */
export async function whoHears(
  db: Db,
  stream: Place,
  messages: readonly Told[],
  places: readonly number[] = [stream.id],
): Promise<Hearing[]> {
  if (messages.length === 0) return []
  const keepers = await listKeepers(db, stream, messages.map(idOf), places)
  const isPublic = !stream.invite_only
  const apart = groupByKeepers(messages, keepers).map((hearing) =>
    // Whoever asks for all public streams hears of all of them by the first.
    isPublic ? { ...hearing, to: { ...hearing.to, unlessWidened: true as const } } : hearing,
  )
  if (stream.history_public_to_subscribers)
    return [{ ids: messages.map(idOf), to: { stream: stream.id }, isPublic }, ...apart]
  const bounds = await listStreamBounds(db, stream, [...new Set(messages.map(sentTo))])
  const inStream = groupByReceivers(messages, bounds).map((group) => {
    const [{ sent_recipient_id, outbox_id }] = group
    const received = { stream: sent_recipient_id, at: outbox_id }
    return { ids: group.map(idOf), to: { stream: stream.id, received } }
  })
  return [...inStream, ...apart]
}

/** Those who keep the same ones hear of them together. */
function groupByKeepers(messages: readonly Told[], keepers: readonly Keeper[]): Hearing[] {
  const kept = Map.groupBy(keepers, ({ user_id }) => user_id)
  const users = [...kept].map(([user, own]) => {
    const ids = new Set(own.map(({ message_id }) => message_id))
    return { user, ids: messages.map(idOf).filter((id) => ids.has(id)) }
  })
  return [...Map.groupBy(users, ({ ids }) => ids.join()).values()].map((group) => ({
    ids: group[0]?.ids ?? [],
    to: { users: group.map(({ user }) => user) },
  }))
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
