import {
  type MessageId,
  maxListedSenders,
  messagesForSenders,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { selectIds } from '../read/index-walk.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import { isReceived, joinOwn, type Reader } from '../visibility.ts'

/** A message that the reader received, with the columns that identify its conversation. */
export interface ReceivedMessageKey {
  id: number
  is_private: boolean
  /** The id of the stream or of the private conversation. */
  recipient_id: number
  folded_topic: string
}

const everythingReceived: Narrow = {
  conditions: [],
  includesHistory: false,
  indexHints: {},
  searches: [],
  search: {},
}

/** Lists the newest messages that the reader received and whose ids are below `from`. */
export function listReceivedHeads(
  db: Db,
  reader: Reader,
  from: number,
  limit: number,
): Promise<ReceivedMessageKey[]> {
  const ids = selectIds(reader, everythingReceived, { from, to: 'older', limit })
  return readNarrowed(
    db,
    sql<ReceivedMessageKey>`
      with received as materialized (select id from (${ids}) as found order by id desc limit ${limit})
      select m.id, m.is_private, m.recipient_id, m.folded_topic
      from received join message m on m.organization_id = ${reader.organization_id} and m.id = received.id
      order by m.id desc`,
  )
}

type ConversationKey = Omit<ReceivedMessageKey, 'id'>

/**
 * Filters `keys` to conversations in which the reader received a message with an id of at least
 * `from`.
 */
export async function filterConversationsWithNewer(
  db: Db,
  reader: Reader,
  from: number,
  keys: readonly ConversationKey[],
): Promise<ConversationKey[]> {
  if (keys.length === 0) return []
  const { organization_id, user_id } = reader
  const newer = sql`m.organization_id = ${organization_id} and m.id >= ${from}`
  const inTopic = sql`${newer} and m.recipient_id = conversation.recipient_id and m.folded_topic = conversation.folded_topic`
  // The query avoids `exists`, because PostgreSQL may then read the newer messages of all
  // conversations.
  const isAny = (where: RawBuilder<unknown>) => sql`coalesce((
    select true from message m ${joinOwn(reader)} where ${where} and ${isReceived(reader)} limit 1), false)`
  // A topic is checked for any newer message, then for one that was sent while the reader was
  // subscribed, then for one that was moved into the stream, then for one with a row of the reader.
  // The first two checks are single index lookups and nearly always decide.
  return readNarrowed(
    db,
    sql<ConversationKey>`
      select conversation.* from unnest(
        ${keys.map(({ is_private }) => is_private)}::boolean[],
        ${keys.map(({ recipient_id }) => recipient_id)}::bigint[],
        ${keys.map(({ folded_topic }) => folded_topic)}::text[]
      ) as conversation (is_private, recipient_id, folded_topic)
      where case when conversation.is_private then ${isAny(sql`${newer} and m.sent_recipient_id = conversation.recipient_id`)}
        else coalesce((select true from message m where ${inTopic} limit 1), false) and (
          coalesce((
            select true from subscription_period p cross join lateral (
              select from message m ${joinOwn(reader)}
              where ${inTopic} and m.id >= p.from_message_id and (p.to_message_id is null or m.id < p.to_message_id)
                and ${isReceived(reader)} limit 1
            ) as sent
            where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.stream_id = conversation.recipient_id
            limit 1), false)
          or ${isAny(sql`${inTopic} and m.recipient_id <> m.sent_recipient_id`)}
          or ${isAny(sql`${inTopic} and own.user_id is not null`)})
        end`,
  )
}

export interface ConversationHead {
  max_message_id: MessageId
  sent_at: Date
  /** Null for private conversations; `members` is null for topics. */
  stream_id: StreamId | null
  members: UserId[] | null
  /** The topic in the spelling of the newest message. */
  topic: string
  /** Users who wrote recently, the latest first. */
  sender_ids: UserId[]
}

/**
 * Reads the details of conversations by their newest messages, in the order of `heads`. Omits
 * messages that were deleted meanwhile.
 */
export async function listDetails(
  db: Db,
  reader: Reader,
  heads: readonly Pick<ReceivedMessageKey, 'id'>[],
): Promise<ConversationHead[]> {
  if (heads.length === 0) return []
  const { organization_id } = reader
  const newest = (where: RawBuilder<unknown>) => sql`(
    select m.* from message m
    where m.organization_id = ${organization_id} and ${where} and m.id <= head.id
    order by m.id desc limit ${messagesForSenders})`
  return readNarrowed(
    db,
    sql<ConversationHead>`
      select head.id as max_message_id, head.sent_at, case when not head.is_private then head.recipient_id end as stream_id,
        conversation.members, head.topic, senders.ids as sender_ids
      from unnest(${heads.map(({ id }) => id)}::bigint[]) with ordinality as asked (id, position)
      join message head on head.organization_id = ${organization_id} and head.id = asked.id
      left join conversation on head.is_private
        and conversation.organization_id = head.organization_id and conversation.id = head.recipient_id
      cross join lateral (
        select array_agg(sender_id order by newest desc) as ids from (
          select m.sender_id, max(m.id) as newest
          from (
            ${newest(sql`not head.is_private and m.recipient_id = head.recipient_id and m.folded_topic = head.folded_topic`)}
            union all ${newest(sql`head.is_private and m.sent_recipient_id = head.recipient_id`)}
          ) as m ${joinOwn(reader)}
          where m.id = head.id or ${isReceived(reader)}
          group by m.sender_id order by newest desc limit ${maxListedSenders}
        ) as sender
      ) as senders
      order by asked.position`,
  )
}
