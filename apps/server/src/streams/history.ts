import { type Decision, Role, refusedBy, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { StreamRow } from '../platform/database/tables.ts'
import { decideAccess } from './access.ts'
import type { Viewer } from './membership.ts'

/**
 * A stream's history is the messages that were sent before a user subscribed. If the stream shares
 * its history, every user who may read the stream may read it. Public streams always share it
 * (constraint `stream_check` in the database). This rule exists in TypeScript and in SQL;
 * `history.test.ts` compares the two.
 */
type StreamWithHistory = Pick<StreamRow, 'invite_only' | 'archived_at' | 'history_public_to_subscribers'>

/** Decides whether the viewer may read the stream's history. */
export function decideHistory(stream: StreamWithHistory, viewer: Viewer): Decision {
  const access = decideAccess(stream, viewer)
  if (!access.allowed || stream.history_public_to_subscribers) return access
  return refusedBy('history_protected')
}

export const canReadHistory = (stream: StreamWithHistory, viewer: Viewer): boolean =>
  decideHistory(stream, viewer).allowed

/**
 * SQL condition: an account of the organization may read the history of `s`, a row of the table
 * `stream`.
 */
export const isHistoryReadable = (reader: {
  user_id: UserId
  role: Role
}): RawBuilder<boolean> => sql<boolean>`
  (s.archived_at is null and s.history_public_to_subscribers
    and (${sql.lit(reader.role !== Role.guest)} and not s.invite_only or exists (
      select from subscription own_subscription
      where own_subscription.organization_id = s.organization_id and own_subscription.user_id = ${reader.user_id}
        and own_subscription.stream_id = s.id and own_subscription.is_active)))`
