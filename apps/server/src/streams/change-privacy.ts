import { ApiError } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor } from '../platform/actor.ts'
import type { Tx } from '../platform/database/database.ts'
import { canAccess, toViewer } from './access.ts'
import { getAudienceGainingSight, getAudienceLosingSight, getStreamAudience } from './audiences.ts'
import { streamsAppeared, streamsDeleted, streamUpdated } from './events.ts'
import { deleteMutedTopicsOfNonMembers } from './muted-topics/queries.ts'
import { listRecentTraffic, type StreamWithMembership, updateStreamRow } from './queries.ts'

interface PrivacyParams {
  is_private?: boolean | undefined
  history_public_to_subscribers?: boolean | null | undefined
}

/** The stream before the request, and with the changes that the request has made so far. */
interface StreamChange {
  before: StreamWithMembership
  stream: StreamWithMembership
}

/**
 * Changes whether a stream is private. The actor must be able to read the stream, so that nobody
 * opens a private stream from outside.
 */
export async function changePrivacy(
  tx: Tx,
  actor: Actor,
  { before, stream }: StreamChange,
  { is_private: invite_only = false, history_public_to_subscribers: isShared }: PrivacyParams,
): Promise<StreamWithMembership> {
  if (!canAccess(stream, toViewer(actor, stream))) throw new ApiError('INVALID_STREAM_ID')
  const history_public_to_subscribers = isHistoryShared(invite_only, isShared)
  await updateStreamRow(tx, stream, { invite_only, history_public_to_subscribers })
  const changed = { ...stream, invite_only, history_public_to_subscribers }
  if (stream.invite_only && !invite_only) await emitToUsersGainingSight(tx, changed)
  const change = { property: 'invite_only', value: invite_only, history_public_to_subscribers }
  emit(tx, streamUpdated(stream, change, getStreamAudience(changed)))
  if (!stream.invite_only && invite_only) await emitToUsersLosingSight(tx, before)
  return changed
}

/**
 * Returns whether new subscribers may read older messages: always in public streams, in private
 * ones only if chosen.
 */
export function isHistoryShared(invite_only: boolean, isShared: boolean | null | undefined): boolean {
  return !invite_only || (isShared ?? false)
}

async function emitToUsersGainingSight(tx: Tx, stream: StreamWithMembership): Promise<void> {
  const traffic = await listRecentTraffic(tx, stream.organization_id, [stream.id])
  emit(tx, streamsAppeared(stream.organization_id, [stream], traffic, getAudienceGainingSight(stream)))
}

/**
 * Emits the stream's deletion under its old name, and deletes muted topics of these users, who must
 * no longer learn the stream's name.
 */
async function emitToUsersLosingSight(tx: Tx, stream: StreamWithMembership): Promise<void> {
  await deleteMutedTopicsOfNonMembers(tx, stream.organization_id, stream.id)
  emit(tx, streamsDeleted(stream.organization_id, [stream], getAudienceLosingSight(stream)))
}
