import { ApiError, allowedBy, type Decision, isAdministrator, refusedBy } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { StreamWithMembership } from '../../streams/queries.ts'
import type { LockedStreams } from '../lock-streams.ts'
import type { Edit } from './check-edit.ts'

/**
 * Returns the stream that the message moves to, or undefined if it stays in its stream. Throws if
 * the move is not allowed.
 */
export function checkMove(
  { role }: Pick<Actor, 'role'>,
  { stream_id, content }: Edit,
  from: StreamWithMembership | undefined,
  streams: LockedStreams,
): StreamWithMembership | undefined {
  if (stream_id === undefined) return undefined
  const to = streams.get(stream_id)
  const { allowed, rule } = decideMayMove({ role }, from, to)
  if (rule === 'must_be_administrator') throw new ApiError('CANNOT_MOVE_MESSAGE')
  if (content !== undefined) throw new ApiError('CONTENT_EDITED_WITH_MOVE')
  if (rule === 'streams_not_public') throw new ApiError('STREAMS_MUST_BE_PUBLIC')
  if (!allowed || !to) throw new ApiError('INVALID_STREAM_ID')
  return to.id === from?.id ? undefined : to
}

/**
 * Decides whether a message may move. `from` is undefined for private messages, and `to` is
 * undefined if the target stream does not exist.
 */
export function decideMayMove(
  { role }: Pick<Actor, 'role'>,
  from: MoveStream | undefined,
  to: MoveStream | undefined,
): Decision {
  if (!isAdministrator(role)) return refusedBy('must_be_administrator')
  if (!to) return refusedBy('stream_unknown')
  if (to.archived_at) return refusedBy('stream_archived')
  const isOpen = from && !from.invite_only && !to.invite_only
  return isOpen ? allowedBy('administrator') : refusedBy('streams_not_public')
}

type MoveStream = Pick<StreamWithMembership, 'invite_only' | 'archived_at'>
