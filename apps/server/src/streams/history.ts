import { type Decision, Role, refusedBy, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { StreamRow } from '../platform/database/tables.ts'
import { decideAccess } from './access.ts'
import type { Viewer } from './membership.ts'

/**
 * The rule of who may read messages from before they subscribed: users who may read the stream
 * now, if it shares its history. Public streams always share theirs (`stream_check` in the database).
 * It is stated twice, for a stream at hand and for many rows; `history.test.ts` compares the two.
 */
type StreamWithHistory = Pick<StreamRow, 'invite_only' | 'archived_at' | 'history_public_to_subscribers'>

/** Decides for a stream at hand. */
export function decideHistory(stream: StreamWithHistory, viewer: Viewer): Decision {
  const access = decideAccess(stream, viewer)
  if (!access.allowed || stream.history_public_to_subscribers) return access
  return refusedBy('history_protected')
}

export const canReadHistory = (stream: StreamWithHistory, viewer: Viewer): boolean =>
  decideHistory(stream, viewer).allowed

/** Condition on `s`, a row of stream, for an account of its organization. */
export const isHistoryReadable = (reader: {
  user_id: UserId
  role: Role
}): RawBuilder<boolean> => sql<boolean>`
  (s.archived_at is null and s.history_public_to_subscribers
    and (${reader.role !== Role.guest} and not s.invite_only or exists (
      select from subscription own_subscription
      where own_subscription.organization_id = s.organization_id and own_subscription.user_id = ${reader.user_id}
        and own_subscription.stream_id = s.id and own_subscription.is_active)))`
