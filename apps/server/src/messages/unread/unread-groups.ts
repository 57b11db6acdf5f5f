import type { StreamId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { isHidden } from '../read/narrow/muting.ts'
import type { Reader } from '../visibility.ts'
import { findUnreadFloor } from './floor.ts'
import { selectUnreadElsewhere, selectUnreadWhereSent } from './selections.ts'

/** What is unread in a topic or in a conversation. Lists of ids are JSON, ascending, and never taken apart. */
export interface UnreadGroup {
  /** The stream; null of conversations, which have members. */
  stream_id: StreamId | null
  topic: string
  members: UserId[] | null
  messages: number
  ids: string
  sender_ids: string
  is_muted: boolean
  /** Those that mention the reader, and those that mention everyone but not the reader; null where there are none. */
  mentions: number[] | null
  wildcard_mentions: number[] | null
}

const columns = sql`m.id, m.is_private, m.recipient_id, m.topic, m.folded_topic, m.sender_id, m.mentions_wildcard`

/** So many of those that mention the reader are looked through: there is an end to the table that they are put into. */
const mostMentions = 200_000

/** The newest that are unread, by stream and topic and by conversation. */
export async function listUnreadGroups(db: Db, reader: Reader): Promise<UnreadGroup[]> {
  const { organization_id, user_id } = reader
  const since = await findUnreadFloor(db, reader)
  const { rows } = await sql<UnreadGroup>`
    with unread as materialized (
      select *, id in (
        select message_id from user_message
        where organization_id = ${organization_id} and user_id = ${user_id} and is_mentioned and message_id >= ${since}
        order by message_id desc limit ${sql.lit(mostMentions)}
      ) as is_mentioned
      from (
        ${selectUnreadWhereSent(reader, columns, { since })}
        union all ${selectUnreadElsewhere(reader, columns, { since })}
      ) as each
    ),
    -- What is marked unread where it would be so without a mark was found twice.
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
      ${isHidden(reader)} as is_muted, m.mentions, m.wildcard_mentions
    from m`.execute(db)
  return rows
}
