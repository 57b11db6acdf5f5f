import type { OrganizationId, StreamId } from '@oxbow/contract'
import type { Audience, Emission } from '../events/record.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { viewStream } from './views.ts'
import { weeklyTraffic } from './weekly-traffic.ts'

const buildStreamsEvent = (op: string, streams: readonly StreamRow[]) => ({
  type: 'stream',
  op,
  streams: streams.map(viewStream),
})

export function streamsCreated(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('create', streams), to }
}

/**
 * Announces existing streams to users who now see them or their subscribers. Lists of subscribers
 * may be long and are not in the record: `stream-event-shape.ts` adds them for queues that asked
 * for them.
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

/**
 * Announces that streams were archived or are no longer visible to the audience. `streams` are as
 * the audience saw them before.
 */
export function streamsDeleted(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('delete', streams), to }
}

/** Announces that streams without subscribers have some again. */
export function streamsOccupied(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('occupy', streams), to }
}

/** Announces that streams have no subscribers left. */
export function streamsVacated(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('vacate', streams), to }
}

export interface StreamChange {
  property: string
  value: string | number | boolean | null
  rendered_description?: string
  history_public_to_subscribers?: boolean
}

/** Announces a change of one property. `stream` is as it was before the change. */
export function streamUpdated(
  stream: Pick<StreamRow, 'organization_id' | 'id' | 'name'>,
  change: StreamChange,
  to: Audience,
): Emission {
  const { organization_id, id, name } = stream
  return { organization_id, event: { type: 'stream', op: 'update', stream_id: id, name, ...change }, to }
}
