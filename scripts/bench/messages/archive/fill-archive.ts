import { print } from '../../figures.ts'
import type { Archive } from './archive.ts'

const batchSize = 1_000_000

/** Inserts all messages of an archive, and the rows of the accounts that received them. */
export async function fillArchive(archive: Archive): Promise<void> {
  const { session, floor, rows } = archive
  await session.query('set synchronous_commit = off')
  await session.query('select setseed(0.5)')
  for (let first = floor + 1; first <= floor + rows; first += batchSize) {
    const last = Math.min(first + batchSize - 1, floor + rows)
    await insertMessages(archive, first, last)
    await insertPlacements(archive, first, last)
    await insertUserMessages(archive, first, last)
    print(`${(last - floor).toLocaleString('en')} messages`)
  }
  await session.query(`select setval('message_id', $1)`, [floor + rows])
  await session.query('reset synchronous_commit')
}

/** Returns SQL for a random integer from 1 to `max`; n is about 1/n as frequent as 1 (Zipf's law). */
const skewed = (max: number) => `least(${max}, floor(exp(random() * ln(${max} + 1))))::int`

/**
 * Inserts messages. A tenth are private. Most are in a few streams and conversations, and from a few
 * senders. One in 5,000 was moved to another stream later, and one in 2,000 mentions everyone.
 */
async function insertMessages(
  { session, organization_id, streams, conversations, keylessUserIds, messageTexts }: Archive,
  first: number,
  last: number,
): Promise<void> {
  await session.query(
    `insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
       rendered_content, words, topic_words)
     select $1, made.id, sent_to, case when is_moved then moved_to else sent_to end,
       case when is_moved then made.id + 1000 else made.id end, 1, sender, now() - interval '1 year' + made.id * interval '1 second',
       is_private, is_wild and not is_private, made.id % 20 = 0, made.id % 50 = 0, false, 'website', made.topic, made.topic, text,
       '<p>' || text || '</p>', ${messageTexts.words}, ${messageTexts.topicWords}
     from (
       select id, is_private, is_wild, not is_private and id % 5000 = 4321 as is_moved,
         case when is_private then ($5::bigint[])[conversation] else ($4::bigint[])[stream] end as sent_to,
         ($4::bigint[])[other_stream] as moved_to,
         case when not is_private then ($8::bigint[])[person]
           when is_first then ($6::bigint[])[conversation] else ($7::bigint[])[conversation] end as sender,
         case when is_private then '' else 'topic ' || topic end as topic,
         ${messageTexts.text} as text ${messageTexts.drawn.map((column) => `, ${column}`).join('')}
       from (
         select id, random() < 0.1 as is_private, random() < 0.0005 as is_wild, random() < 0.5 as is_first,
           ${skewed(streams.length)} as stream, ceil(random() * ${streams.length})::int as other_stream, ${skewed(conversations.length)} as conversation,
           ${skewed(keylessUserIds.length)} as person, floor(50 * random() ^ 2)::int as topic ${messageTexts.lots.map((lot) => `, ${lot}`).join('')}
         from generate_series($2::bigint, $3::bigint) as id
       ) as drawn ${messageTexts.drawnJoins}
     ) as made ${messageTexts.madeJoins}`,
    [
      organization_id,
      first,
      last,
      streams.map(({ id }) => id),
      conversations.map(({ id }) => id),
      conversations.map(({ members }) => members[0]),
      conversations.map(({ members }) => members[1]),
      keylessUserIds,
    ],
  )
}

/** Inserts the earlier placements of moved messages. */
async function insertPlacements(
  { session, organization_id }: Archive,
  first: number,
  last: number,
): Promise<void> {
  await session.query(
    `insert into message_stay (organization_id, message_id, stream_id, from_id, to_id)
     select m.organization_id, m.id, m.sent_recipient_id, m.id, m.arrived_id from message m
     where m.organization_id = $1 and m.id between $2 and $3 and m.arrived_id <> m.id`,
    [organization_id, first, last],
  )
}

/**
 * Inserts `user_message` rows for all private messages, and for stream messages that are starred,
 * mention the account or contain an alert word.
 */
async function insertUserMessages(
  { session, organization_id, readStreams, reader, keylessUserIds }: Archive,
  first: number,
  last: number,
): Promise<void> {
  await session.query(
    `insert into user_message (organization_id, user_id, message_id, is_private, is_starred, is_mentioned)
     select $1, member, m.id, true, member = $4 and random() < 0.01, member = $4 and random() < 0.01
     from message m
     join conversation c on c.organization_id = $1 and c.id = m.recipient_id
     cross join unnest(c.members) as member
     where m.organization_id = $1 and m.is_private and m.id between $2 and $3`,
    [organization_id, first, last, reader.user_id],
  )

  await session.query(
    `insert into user_message (organization_id, user_id, message_id, is_private, is_starred, is_mentioned, has_alert_word)
     select $1, $4, id, false, lot < 0.002, lot between 0.002 and 0.005, lot > 0.005
     from (
       select m.id, random() as lot from message m
       where m.organization_id = $1 and m.sent_recipient_id = any($5) and m.id between $2 and $3
     ) as drawn where lot < 0.006
     union all
     select $1, ($6::bigint[])[ceil(random() * ${keylessUserIds.length})::int], m.id, false, false, true, false from message m
     where m.organization_id = $1 and not m.is_private and m.id between $2 and $3 and m.id % 50 = 7`,
    [organization_id, first, last, reader.user_id, readStreams.map(({ id }) => id), keylessUserIds],
  )
}
