import type { MessageId, OrganizationId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { canReadUpload } from './access.ts'
import { listUploadUpdates } from './list-updates.ts'
import {
  deleteClaims,
  insertClaims,
  type LockedUpload,
  listClaimedUploads,
  lockClaimedUploads,
  lockUploadsToClaim,
  type OwnedUpload,
  setHasAttachment,
} from './queries.ts'
import { isUnused, removeUploads } from './remove-uploads.ts'

/** Maximum number of uploads that one message can claim. Each claim costs a row and an event. */
export const maxClaimsPerMessage = 50

/**
 * Locks the uploads at the first `maxClaimsPerMessage` paths that the writer may read. Links to
 * other uploads claim nothing, so they give nobody access to the file. Also locks the uploads in
 * `claimed`, which the message claims already; `is_claimable` is false for those that it may not
 * claim any more.
 */
export function lockClaimableUploads(
  tx: Tx,
  writer: Reader,
  paths: readonly string[],
  claimed: readonly OwnedUpload[] = [],
): Promise<LockedUpload[]> {
  const first = paths.slice(0, maxClaimsPerMessage)
  const ids = claimed.map(({ id }) => id)
  return lockUploadsToClaim(tx, writer.organization_id, first, canReadUpload(writer), ids)
}

/** Records that a new message refers to these uploads. The uploads must be locked. */
export async function claimUploadsOfNewMessage(
  tx: Tx,
  organization_id: OrganizationId,
  message_id: MessageId,
  uploads: readonly OwnedUpload[],
): Promise<void> {
  await insertClaims(tx, organization_id, message_id, uploads)
  await setHasAttachment(tx, organization_id, message_id, true)
}

/**
 * Updates the claims of an edited message and notifies the owners of the uploads. The message must
 * be locked. An upload that no message refers to any more stays readable by its owner until it
 * expires.
 */
export async function updateClaims(
  tx: Tx,
  writer: Reader,
  message_id: MessageId,
  paths: readonly string[],
): Promise<void> {
  const { organization_id } = writer
  const before = await listClaimedUploads(tx, organization_id, message_id)
  if (before.length === 0 && paths.length === 0) return
  // The old claims are deleted after this check, because they may be the writer's only access to a
  // file.
  const locked = await lockClaimableUploads(tx, writer, paths, before)
  const now = locked.filter(({ is_claimable }) => is_claimable)
  const added = subtract(now, before)
  const dropped = subtract(locked, now)
  await insertClaims(tx, organization_id, message_id, added)
  await deleteClaims(tx, organization_id, message_id, dropped)
  await setHasAttachment(tx, organization_id, message_id, now.length > 0)
  for (const emission of await listUploadUpdates(tx, organization_id, [...added, ...dropped]))
    emit(tx, emission)
}

/**
 * Runs `deleteRows`, which deletes the messages, then deletes the uploads that only these messages
 * referred to, and notifies the owners. Once the transaction has committed, the files of the
 * deleted uploads cannot be read any more.
 */
export async function releaseClaims(
  tx: Tx,
  organization_id: OrganizationId,
  message_ids: readonly MessageId[],
  deleteRows: () => Promise<void>,
): Promise<void> {
  const claimed = await lockClaimedUploads(tx, organization_id, message_ids)
  await deleteRows()
  if (claimed.length === 0) return
  const ids = claimed.map(({ id }) => id)
  const removed = await removeUploads(tx, organization_id, ids, isUnused)
  for (const emission of await listUploadUpdates(tx, organization_id, subtract(claimed, removed)))
    emit(tx, emission)
}

function subtract(uploads: readonly OwnedUpload[], others: readonly OwnedUpload[]): OwnedUpload[] {
  const ids = new Set(others.map(({ id }) => id))
  return uploads.filter(({ id }) => !ids.has(id))
}
