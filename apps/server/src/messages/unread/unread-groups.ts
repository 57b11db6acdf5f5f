import type { StreamId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { isMuted } from '../read/narrow/muting.ts'
import type { Reader } from '../visibility.ts'
import { selectUnreadElsewhere, selectUnreadWhereSent } from './selections.ts'
import { findUnreadFloor } from './unread-floor.ts'

/**
 * The unread messages of a topic or conversation. Lists of ids are JSON texts in ascending order;
 * they become part of the response without being parsed.
 */
export interface UnreadGroup {
  /** The stream; null for conversations, for which `members` is set. */
  stream_id: StreamId | null
  topic: string
  members: UserId[] | null
  messages: number
  ids: string
  sender_ids: string
  is_muted: boolean
  /** Messages that mention the reader; null if there are none. */
  mentions: number[] | null
  /** Messages that mention everyone, but not the reader by name; null if there are none. */
  wildcard_mentions: number[] | null
}

const columns = sql`m.id, m.is_private, m.recipient_id, m.topic, m.folded_topic, m.sender_id, m.mentions_wildcard`

/**
 * Maximum number of the reader's mentions that are read. It limits the size of the query's hash
 * table.
 */
const maxMentions = 200_000

/** Lists the newest unread messages, grouped by topic or conversation. */
export async function listUnreadGroups(db: Db, reader: Reader): Promise<UnreadGroup[]> {
  const { organization_id, user_id } = reader
  const since = await findUnreadFloor(db, reader)
  const { rows } = await sql<UnreadGroup>`
    with unread as materialized (
      select *, id in (
        select message_id from user_message
        where organization_id = ${organization_id} and user_id = ${user_id} and is_mentioned and message_id >= ${since}
        order by message_id desc limit ${sql.lit(maxMentions)}
      ) as is_mentioned
      from (
        ${selectUnreadWhereSent(reader, columns, { since })}
        union all ${selectUnreadElsewhere(reader, columns, { since })}
      ) as each
    ),
    -- Messages that are above the read position and also marked unread were found twice.
    m as (
      select ${organization_id}::bigint as organization_id, is_private, recipient_id, topic,
        min(folded_topic) as folded_topic, array_agg(distinct id) as ids,
        array_to_json(array_agg(distinct sender_id))::text as sender_ids,
        array_agg(distinct id) filter (where is_mentioned) as mentions,
        array_agg(distinct id) filter (where mentions_wildcard and not is_mentioned) as wildcard_mentions
      from unread group by is_private, recipient_id, topic
    )
    select case when not m.is_private then m.recipient_id end as stream_id, m.topic, (
        select conversation.members from conversation
        where m.is_private and conversation.organization_id = m.organization_id and conversation.id = m.recipient_id
      ) as members,
      cardinality(m.ids) as messages, array_to_json(m.ids)::text as ids, m.sender_ids,
      ${isMuted(reader)} as is_muted, m.mentions, m.wildcard_mentions
    from m`.execute(db)
  return rows
}
