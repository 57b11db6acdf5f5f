import type { DefaultStreamGroup, OrganizationId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Audience } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { notGuests } from '../audiences.ts'
import { viewStream } from '../views.ts'
import { findDefaultLists, type GroupWithStreams, listDefaultGroups, listDefaultStreams } from './queries.ts'

const allExceptGuests: Audience = { roles: notGuests }

/**
 * Emits the whole list of default streams. The stream directory or the role lock must be held
 * exclusively, so that the list cannot change meanwhile.
 */
export async function emitDefaultStreams(
  tx: Tx,
  organization_id: OrganizationId,
  to = allExceptGuests,
): Promise<void> {
  const default_streams = (await listDefaultStreams(tx, organization_id)).map(viewStream)
  emit(tx, { organization_id, event: { type: 'default_streams', default_streams }, to })
}

export async function emitDefaultGroups(
  tx: Tx,
  organization_id: OrganizationId,
  to = allExceptGuests,
): Promise<void> {
  const default_stream_groups = (await listDefaultGroups(tx, organization_id)).map(viewDefaultGroup)
  emit(tx, { organization_id, event: { type: 'default_stream_groups', default_stream_groups }, to })
}

export function viewDefaultGroup({ id, name, description, streams }: GroupWithStreams): DefaultStreamGroup {
  return { id, name, description, streams: streams.map(viewStream) }
}

/**
 * Emits the lists of default streams that contain a changed private stream. Everyone except guests
 * gets these lists, but only users who may see the stream get its own events.
 */
export async function emitDefaultsOfChangedStream(
  tx: Tx,
  before: StreamRow,
  after: StreamRow,
): Promise<void> {
  if (!before.invite_only && !after.invite_only) return
  const { isDefault, isInGroup } = await findDefaultLists(tx, after)
  if (isDefault) await emitDefaultStreams(tx, after.organization_id)
  if (isInGroup) await emitDefaultGroups(tx, after.organization_id)
}
