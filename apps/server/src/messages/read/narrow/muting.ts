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
      and muted.stream_id = m.recipient_id and muted.is_active and muted.is_muted)))`
