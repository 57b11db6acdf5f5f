import type { DefaultStreamGroup, OrganizationId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Audience } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { notGuests } from '../audiences.ts'
import { viewStream } from '../views.ts'
import { findDefaultPlaces, type GroupWithStreams, listDefaultGroups, listDefaultStreams } from './queries.ts'

const everyone: Audience = { roles: notGuests }

/** The whole list. The directory of streams must be held, or the roles alone: nothing in it can change meanwhile. */
export async function tellDefaultStreams(
  tx: Tx,
  organization_id: OrganizationId,
  to = everyone,
): Promise<void> {
  const default_streams = (await listDefaultStreams(tx, organization_id)).map(viewStream)
  emit(tx, { organization_id, event: { type: 'default_streams', default_streams }, to })
}

export async function tellDefaultGroups(
  tx: Tx,
  organization_id: OrganizationId,
  to = everyone,
): Promise<void> {
  const default_stream_groups = (await listDefaultGroups(tx, organization_id)).map(viewDefaultGroup)
  emit(tx, { organization_id, event: { type: 'default_stream_groups', default_stream_groups }, to })
}

export function viewDefaultGroup({ id, name, description, streams }: GroupWithStreams): DefaultStreamGroup {
  return { id, name, description, streams: streams.map(viewStream) }
}

/**
 * Everyone but guests sees a private stream that is a default one, though only in these lists; its own events do not
 * reach them. So the lists are told again.
 */
export async function tellChangedDefault(tx: Tx, before: StreamRow, after: StreamRow): Promise<void> {
  if (!before.invite_only && !after.invite_only) return
  const { isDefault, isInGroup } = await findDefaultPlaces(tx, after)
  if (isDefault) await tellDefaultStreams(tx, after.organization_id)
  if (isInGroup) await tellDefaultGroups(tx, after.organization_id)
}
