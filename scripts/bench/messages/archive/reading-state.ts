import type { Archive } from './archive.ts'

const mutedStreams = 20
const mutedTopics = 50

/**
 * Marks every second stream of the reader as read, except for its newest messages. The other
 * streams stay unread.
 */
export async function markHalfRead({
  session,
  organization_id,
  reader,
  rows,
  floor,
}: Archive): Promise<void> {
  const newest = floor + rows
  await session.query(
    `update subscription s set read_to = case when rank % 2 = 0 then 0 else $3 end
     from (
       select stream_id, row_number() over (order by stream_id) as rank from subscription
       where organization_id = $1 and user_id = $2
     ) as own
     where s.organization_id = $1 and s.user_id = $2 and s.stream_id = own.stream_id`,
    [organization_id, reader.user_id, newest - 2_000],
  )
  await session.query(
    `update user_message set is_unread = message_id % 3 = 0
     where organization_id = $1 and user_id = $2 and is_private and message_id > $3`,
    [organization_id, reader.user_id, newest - 100_000],
  )
  // Marks some messages below the read position as unread.
  await session.query(
    `insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
     select $1, $2, m.sent_recipient_id, m.id, false
     from subscription s
     cross join lateral (
       select * from message m where m.organization_id = $1 and m.sent_recipient_id = s.stream_id and m.id < s.read_to
       order by m.id desc limit 2
     ) as m
     where s.organization_id = $1 and s.user_id = $2 and s.read_to > 0
     on conflict do nothing`,
    [organization_id, reader.user_id],
  )
  await session.query(
    `update stream s set first_message_id = (
       select id from message m where m.organization_id = $1 and m.sent_recipient_id = s.id order by id limit 1)
     where organization_id = $1`,
    [organization_id],
  )
}

export async function muteStreamsAndTopics({ session, organization_id, reader }: Archive): Promise<void> {
  await session.query(
    `update subscription set is_muted = true
     where organization_id = $1 and user_id = $2 and stream_id in (
       select stream_id from subscription where organization_id = $1 and user_id = $2 order by stream_id limit $3)`,
    [organization_id, reader.user_id, mutedStreams],
  )
  await session.query(
    `insert into muted_topic (organization_id, user_id, stream_id, topic, folded_topic)
     select $1, $2, stream_id, 'topic 3', 'topic 3' from subscription
     where organization_id = $1 and user_id = $2 order by stream_id desc limit $3
     on conflict do nothing`,
    [organization_id, reader.user_id, mutedTopics],
  )
}
