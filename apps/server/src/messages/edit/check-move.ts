import { ApiError, isAdministrator } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { StreamWithMembership } from '../../streams/queries.ts'
import type { HeldStreams } from '../hold-streams.ts'
import type { Edit } from './check-edit.ts'

/** The stream that a message goes to. Undefined where it stays in its own. */
export function checkMove(
  { role }: Pick<Actor, 'role'>,
  { stream_id, content }: Edit,
  from: StreamWithMembership | undefined,
  streams: HeldStreams,
): StreamWithMembership | undefined {
  if (stream_id === undefined) return undefined
  if (!isAdministrator(role)) throw new ApiError('CANNOT_MOVE_MESSAGE')
  if (content !== undefined) throw new ApiError('CONTENT_EDITED_WITH_MOVE')
  const to = streams.get(stream_id)
  if (!to || to.archived_at) throw new ApiError('INVALID_STREAM_ID')
  if (!from || from.invite_only || to.invite_only) throw new ApiError('STREAMS_MUST_BE_PUBLIC')
  return to.id === from.id ? undefined : to
}
