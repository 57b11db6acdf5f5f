import type { GroupValue, OrganizationId, StreamId, StreamRight } from '@oxbow/contract'
import type { Audience, Emission } from '../events/record.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { viewGroupValue, viewStream } from './views.ts'
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
 * Builds the event for users who can now see existing streams or the subscribers of these streams.
 * Lists of subscribers may be long and are not in the record: `stream-event-shape.ts` adds them for
 * queues with `include_subscribers`.
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
 * Builds the event for streams that were archived or are no longer visible to the audience.
 * `streams` contains the streams as they were before the change.
 */
export function streamsDeleted(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('delete', streams), to }
}

/** Builds the event for streams that have subscribers again. */
export function streamsOccupied(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('occupy', streams), to }
}

/** Builds the event for streams that have no subscribers left. */
export function streamsVacated(
  organization_id: OrganizationId,
  streams: readonly StreamRow[],
  to: Audience,
): Emission {
  return { organization_id, event: buildStreamsEvent('vacate', streams), to }
}

export interface StreamChange {
  property: string
  value: string | number | boolean | null | GroupValue
  rendered_description?: string
  history_public_to_subscribers?: boolean
}

/** Builds the event for a right that has a new value. Both generations get it, as they get the field of the stream. */
export const rightChanged = (
  stream: Pick<StreamRow, 'organization_id' | 'id' | 'name'>,
  right: StreamRight,
  value: GroupValue,
  to: Audience,
): Emission => streamUpdated(stream, { property: right, value: viewGroupValue(value) }, to)

/** Builds the event for one changed property. `stream` is the stream before the change. */
export function streamUpdated(
  stream: Pick<StreamRow, 'organization_id' | 'id' | 'name'>,
  change: StreamChange,
  to: Audience,
): Emission {
  const { organization_id, id, name } = stream
  return { organization_id, event: { type: 'stream', op: 'update', stream_id: id, name, ...change }, to }
}
