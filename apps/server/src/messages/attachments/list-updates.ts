import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Emission } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import { attachmentChanged } from './events.ts'
import { getUsedSpace, listAttachments, listOwners, type OwnedUpload } from './queries.ts'
import { viewAttachment } from './views.ts'

/**
 * Builds one event per upload for its owner, with the current list of messages that refer to it.
 */
export async function listUploadUpdates(
  tx: Tx,
  organization_id: OrganizationId,
  uploads: readonly OwnedUpload[],
): Promise<Emission[]> {
  if (uploads.length === 0) return []
  const { bytes: used } = await getUsedSpace(tx, organization_id)
  const ids = uploads.map(({ id }) => id)
  const isChanged = sql<boolean>`u.id = any(${ids}::bigint[])`
  const owners = await listOwners(tx, organization_id, [...new Set(uploads.map(({ owner_id }) => owner_id))])
  const emissions: Emission[] = []
  for (const owner of owners) {
    for (const row of await listAttachments(tx, owner, isChanged, ids.length))
      emissions.push(attachmentChanged(owner, 'update', viewAttachment(row), used))
  }
  return emissions
}
