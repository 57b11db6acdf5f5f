import { Attention, defaultGeneration } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../visibility.ts'

/** SQL condition on a row `m` of message: its topic is muted. */
export const isTopicMuted = ({ user_id }: Reader): RawBuilder<boolean> => sql<boolean>`
  (not m.is_private and exists (
    select from muted_topic muted
    where muted.organization_id = m.organization_id and muted.user_id = ${user_id}
      and muted.stream_id = m.recipient_id and muted.folded_topic = m.folded_topic))`

/** SQL condition on a row `m` of message: its topic or its stream is muted. */
export const isMuted = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (${isTopicMuted(reader)} or (not m.is_private and exists (
    select from subscription muted
    where muted.organization_id = m.organization_id and muted.user_id = ${reader.user_id}
      and muted.stream_id = m.recipient_id and muted.is_active and muted.is_muted
      ${knowsAttention(reader) ? sql`and not ${isAttended(reader, sql`true`)}` : sql``})))`

/** SQL condition on a row `m` of message: the reader follows its topic. */
export const isFollowed = (reader: Reader): RawBuilder<boolean> =>
  sql<boolean>`(not m.is_private and ${isAttended(reader, sql`attended.policy = ${sql.lit(Attention.followed)}`)})`

/** Programs of the default generation know muted topics only, so for them a muted stream is muted as a whole. */
export const knowsAttention = ({ generation = defaultGeneration }: Reader): boolean =>
  generation > defaultGeneration

const isAttended = ({ user_id }: Reader, condition: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  exists (
    select from topic_attention attended
    where attended.organization_id = m.organization_id and attended.user_id = ${user_id}
      and attended.stream_id = m.recipient_id and attended.folded_topic = m.folded_topic and ${condition})`

/** SQL query of the streams that are muted for the reader, without those in which they attend to a topic. */
export const selectMutedStreams = (reader: Reader): RawBuilder<unknown> => sql`
  select stream_id from subscription muted
  where organization_id = ${reader.organization_id} and user_id = ${reader.user_id} and is_active and is_muted
  ${knowsAttention(reader) ? sql`and not ${hasAttention(sql`muted`)}` : sql``}`

/** SQL condition on a subscription: its account follows or unmuted a topic of the stream. */
export const hasAttention = (subscription: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  exists (
    select from topic_attention attended
    where attended.organization_id = ${subscription}.organization_id and attended.user_id = ${subscription}.user_id
      and attended.stream_id = ${subscription}.stream_id)`
