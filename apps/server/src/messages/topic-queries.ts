import { foldTopic, type MessageId, type OrganizationId, type StreamId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { isReceived, isUnchangedSinceAccess, joinOwn, type Reader } from './visibility.ts'

export interface Topic {
  /** The topic in the spelling of its newest message. */
  name: string
  max_id: MessageId
}

/** Returns whether the stream has a message with this topic, readable or not. */
export async function hasTopic(
  db: Db,
  organization_id: OrganizationId,
  stream: StreamId,
  topic: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('message')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('recipient_id', '=', stream)
    .where('folded_topic', '=', foldTopic(topic))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Recursive SQL query of the newest message of each topic. It finds each next topic with an index
 * lookup, so its cost grows with the number of topics, not of messages.
 */
const newestMessageOfEachTopic = ({ organization_id }: Reader, stream: StreamId) => {
  const next = (condition: RawBuilder<unknown>) => sql`
    select folded_topic, id from message
    where organization_id = ${organization_id} and recipient_id = ${stream} ${condition}
    order by folded_topic desc, id desc limit 1`
  return sql`
    (${next(sql``)})
    union all
    select next.folded_topic, next.id
    from newest cross join lateral (${next(sql`and folded_topic < newest.folded_topic`)}) as next`
}

/** Lists all topics of a stream, newest first. */
export async function listTopicsOfStream(db: Db, reader: Reader, stream: StreamId): Promise<Topic[]> {
  const { rows } = await sql<Topic>`
    with recursive newest (folded_topic, id) as (${newestMessageOfEachTopic(reader, stream)})
    select m.topic as name, m.id as max_id
    from newest
    join message m on m.organization_id = ${reader.organization_id} and m.id = newest.id
    order by m.id desc`.execute(db)
  return rows
}

/**
 * Lists the topics of messages that the reader received. Messages that were sent while the reader
 * was subscribed are looked up by topic and subscription period. Messages that were moved into the
 * stream, starred or reacted to are few.
 */
export async function listReceivedTopics(db: Db, reader: Reader, stream: StreamId): Promise<Topic[]> {
  const { organization_id, user_id } = reader
  const inStream = sql`m.organization_id = ${organization_id} and m.recipient_id = ${stream}`
  const topic = sql`m.folded_topic, m.topic as name, m.id as max_id`
  const { rows } = await sql<Topic>`
    with recursive newest (folded_topic, id) as (${newestMessageOfEachTopic(reader, stream)}),
    received as (
      select found.*
      from newest
      cross join subscription_period p
      cross join lateral (
        select ${topic} from message m ${joinOwn(reader)}
        where ${inStream} and m.folded_topic = newest.folded_topic
          and m.id >= p.from_message_id and (p.to_message_id is null or m.id < p.to_message_id) and ${isReceived(reader)}
        order by m.id desc limit 1
      ) as found
      where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.stream_id = ${stream}
      union all
      select ${topic} from message m ${joinOwn(reader)}
      where ${inStream} and m.recipient_id <> m.sent_recipient_id and ${isReceived(reader)}
      union all
      select ${topic} from user_message own
      join message m on m.organization_id = own.organization_id and m.id = own.message_id
      where own.organization_id = ${organization_id} and own.user_id = ${user_id} and not own.is_private and ${inStream}
        and ${isUnchangedSinceAccess(reader)}
    )
    select name, max_id from (
      select distinct on (folded_topic) name, max_id from received order by folded_topic, max_id desc
    ) as topic
    order by max_id desc`.execute(db)
  return rows
}
