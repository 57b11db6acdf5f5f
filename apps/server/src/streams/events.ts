import type { OrganizationId, StreamId } from '@oxbow/contract'
import type { Audience, Emission } from '../events/record.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { viewStream } from './views.ts'
import { weeklyTraffic } from './weekly-traffic.ts'

const about = (op: string, streams: readonly StreamRow[]) => ({
  type: 'stream',
  op,
  streams: streams.map(viewStream),
})

export function streamsCreated(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: about('create', streams), to }
}

/**
 * To those who come to see streams that others knew, or who is in them. The lists of members may be long, so they are
 * not in the record: `stream-event-shape.ts` adds them for those who asked for them.
 */
export function streamsAppeared(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  traffic: ReadonlyMap<StreamId, number>,
  to: Audience,
): Emission {
  const appearing = streams.map((stream) => ({
    ...viewStream(stream),
    stream_weekly_traffic: weeklyTraffic(traffic.get(stream.id) ?? 0, stream.created_at),
  }))
  return {
    organization_id,
    event: { type: 'stream', op: 'create', streams: appearing, isAppearing: true },
    to,
  }
}

/** Archived, or no longer to be seen by these; as they were seen before. */
export function streamsDeleted(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: about('delete', streams), to }
}

/** Someone is in them again. */
export function streamsOccupied(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: about('occupy', streams), to }
}

/** Nobody is in them any more. */
export function streamsVacated(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: about('vacate', streams), to }
}

export interface StreamChange {
  property: string
  value: string | number | boolean | null
  rendered_description?: string
  history_public_to_subscribers?: boolean
}

/** The stream as it was before the change. */
export function streamUpdated(
  stream: Pick<StreamRow, 'organization_id' | 'id' | 'name'>,
  change: StreamChange,
  to: Audience,
): Emission {
  const { organization_id, id, name } = stream
  return { organization_id, event: { type: 'stream', op: 'update', stream_id: id, name, ...change }, to }
}
