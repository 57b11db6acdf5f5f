import type { MessageId } from '@oxbow/contract'
import { includesId, withIds, withoutIds } from '../state/id-lists.ts'

/**
 * A part of a narrow without gaps: it has every message of the narrow with an id from `from` to
 * `to`, inclusive. `from` is 0 if it reaches the oldest message, and `to` is Infinity if it reaches
 * the newest.
 */
export interface Segment {
  readonly from: number
  readonly to: number
  /** Ids of the messages, ascending. */
  readonly ids: readonly MessageId[]
}

/** Segments of one narrow, ascending and without overlaps. */
export type Segments = readonly Segment[]

const covers = ({ from, to }: Segment, id: number): boolean => from <= id && id <= to

export const findSegment = (segments: Segments, id: number): Segment | undefined =>
  segments.find((segment) => covers(segment, id))

export const hasMessage = (segments: Segments, id: MessageId): boolean =>
  segments.some((segment) => covers(segment, id) && includesId(segment.ids, id))

/**
 * Adds a fetched segment and joins it with the segments that it overlaps. Within the range of the
 * fetched segment, only its ids remain.
 */
export function joinSegment(segments: Segments, read: Segment): Segments {
  const isApart = ({ from, to }: Segment) => to < read.from || read.to < from
  const joined = segments
    .filter((segment) => !isApart(segment))
    .reduce<Segment>(
      (sum, { from, to, ids }) => ({
        from: Math.min(sum.from, from),
        to: Math.max(sum.to, to),
        ids: [...ids.filter((id) => id < sum.from), ...sum.ids, ...ids.filter((id) => id > sum.to)],
      }),
      read,
    )
  return [...segments.filter(isApart), joined].sort((a, b) => a.from - b.from)
}

/** Inserts ids into the segments that include them. Ids outside of all segments are left out. */
export function insertIds(segments: Segments, ids: readonly MessageId[]): Segments {
  return changeIds(segments, (segment) =>
    withIds(
      segment.ids as MessageId[],
      ids.filter((id) => covers(segment, id)),
    ),
  )
}

export const removeIds = (segments: Segments, gone: ReadonlySet<MessageId>): Segments =>
  changeIds(segments, ({ ids }) => withoutIds(ids as MessageId[], gone))

function changeIds(segments: Segments, change: (segment: Segment) => readonly MessageId[]): Segments {
  const changed = segments.map((segment) => {
    const ids = change(segment)
    return ids === segment.ids ? segment : { ...segment, ids }
  })
  return changed.every((segment, index) => segment === segments[index]) ? segments : changed
}

/** Keeps only the `max` segments nearest to the anchor. */
export function keepNearest(segments: Segments, anchor: number, max: number): Segments {
  if (segments.length <= max) return segments
  const distance = ({ from, to }: Segment) => Math.max(from - anchor, anchor - to, 0)
  const nearest = segments.toSorted((a, b) => distance(a) - distance(b)).slice(0, max)
  return segments.filter((segment) => nearest.includes(segment))
}

/**
 * Trims the segment nearest to the anchor to `max` messages around the anchor, and drops the other
 * segments.
 */
export function trimSegments(segments: Segments, anchor: number, max: number): Segments {
  const count = segments.reduce((sum, { ids }) => sum + ids.length, 0)
  if (count <= max) return segments
  const [nearest] = keepNearest(segments, anchor, 1)
  if (!nearest) return segments
  const { from, to, ids } = nearest
  const index = ids.findIndex((id) => id >= anchor)
  const middle = index === -1 ? ids.length : index
  const start = Math.max(0, Math.min(middle - (max >> 1), ids.length - max))
  const kept = ids.slice(start, start + max)
  const isCutAtEnd = start + max < ids.length
  return [
    {
      from: start > 0 ? (kept[0] ?? from) : from,
      to: isCutAtEnd ? (kept.at(-1) ?? to) : to,
      ids: kept,
    },
  ]
}
