import type { MessageId, OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Audience } from '../events/record.ts'
import type { Db } from '../platform/database/database.ts'
import type { MessageRow, StreamRow } from '../platform/database/tables.ts'
import { type IndirectRecipient, listIndirectRecipients, listStreamBounds } from './audience-queries.ts'
import type { AudienceKey } from './columns.ts'

/** Messages of one stream or conversation, with the audience of events about them. */
export interface MessageAudience {
  ids: MessageId[]
  to: Audience
  /** Whether queues that receive all public streams get the event too. */
  isPublic?: boolean
}

type AudienceStream = Pick<
  StreamRow,
  'organization_id' | 'id' | 'invite_only' | 'history_public_to_subscribers'
>

/**
 * Returns the audiences of an event about messages of a stream. First come the subscribers: one
 * audience of all of them, or, with protected history, one audience for each distinct set of
 * subscribers who received some of the messages. Then come indirect recipients, grouped by the
 * messages that they have access to. Subscribers of `coveredStreams` are never indirect recipients
 * of a message that they get as subscribers.
 */
export async function listMessageAudiences(
  db: Db,
  stream: AudienceStream,
  messages: readonly AudienceKey[],
  coveredStreams: readonly number[] = [stream.id],
): Promise<MessageAudience[]> {
  if (messages.length === 0) return []
  const indirect = await listIndirectRecipients(db, stream, messages.map(getId), coveredStreams)
  const isPublic = !stream.invite_only
  const indirectAudiences = groupIndirectRecipients(messages, indirect).map((audience) =>
    // Queues that receive all public streams already get the event through the first audience.
    isPublic ? { ...audience, to: { ...audience.to, unlessWidened: true as const } } : audience,
  )
  if (stream.history_public_to_subscribers)
    return [{ ids: messages.map(getId), to: { stream: stream.id }, isPublic }, ...indirectAudiences]
  const bounds = await listStreamBounds(db, stream, [...new Set(messages.map(getOriginalStream))])
  const subscriberAudiences = groupByReceivers(messages, bounds).map((group) => {
    const [{ sent_recipient_id, outbox_id }] = group
    const received = { stream: sent_recipient_id, at: outbox_id }
    return { ids: group.map(getId), to: { stream: stream.id, received } }
  })
  return [...subscriberAudiences, ...indirectAudiences]
}

/** Groups users who have access to the same messages into one audience. */
function groupIndirectRecipients(
  messages: readonly AudienceKey[],
  recipients: readonly IndirectRecipient[],
): MessageAudience[] {
  const byUser = Map.groupBy(recipients, ({ user_id }) => user_id)
  const users = [...byUser].map(([user, own]) => {
    const ids = new Set(own.map(({ message_id }) => message_id))
    return { user, ids: messages.map(getId).filter((id) => ids.has(id)) }
  })
  return [...Map.groupBy(users, ({ ids }) => ids.join()).values()].map((group) => ({
    ids: group[0]?.ids ?? [],
    to: { users: group.map(({ user }) => user) },
  }))
}

/** Returns an audience of all members of the message's conversation. */
export async function getConversationAudience(
  db: Db,
  organization_id: OrganizationId,
  { id, recipient_id }: Pick<MessageRow, 'id' | 'recipient_id'>,
): Promise<MessageAudience> {
  const { rows } = await sql<{ members: UserId[] }>`
    select members from conversation where organization_id = ${organization_id} and id = ${recipient_id}`.execute(
    db,
  )
  return { ids: [id], to: { users: rows[0]?.members ?? [] } }
}

type Group<Item> = [Item, ...Item[]]

/**
 * Groups messages that went to the same subscribers: between the outbox ids of two messages of a
 * group, nobody subscribed to or unsubscribed from the stream that the messages were sent to.
 * `bounds` maps a stream to the outbox ids of these membership changes, in ascending order.
 */
export function groupByReceivers<Message extends AudienceKey>(
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

/** Returns how many numbers of an ascending list are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

const getId = ({ id }: AudienceKey): MessageId => id
const getOriginalStream = ({ sent_recipient_id }: AudienceKey): number => sent_recipient_id
