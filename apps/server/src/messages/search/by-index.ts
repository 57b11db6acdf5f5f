import { sql } from 'kysely'
import { filterColumns } from '../columns.ts'
import type { Narrow } from '../read/narrow/compile.ts'
import { type Direction, isVisible } from '../read/walk.ts'
import { joinOwnLateral, type Reader } from '../visibility.ts'
import { selectCandidates, sorted, type Way } from './candidates.ts'
import { isIndexed, type Needs } from './needs.ts'
import { type Place, sliceBits } from './places.ts'

export type Slices = readonly [first: number, last: number]

/** Message ids that were skipped, both ends included. */
export interface Gap {
  first: number
  last: number
}

/**
 * More and more at a time, from the slice of one id to that of another: where little is found, much is looked at.
 * Slices that lie in a gap are left out: there may be thousands.
 */
export function* sliceGroups(from: number, to: number, gaps: readonly Gap[] = []): Generator<Slices> {
  const isUp = sliceOf(to) > sliceOf(from)
  const ranges = withoutGaps(Math.min(from, to), Math.max(from, to), gaps)
  let size = 1
  for (const [first, last] of isUp ? ranges : ranges.reverse()) {
    for (let done = 0; done <= last - first; size *= 2) {
      const count = Math.min(size, last - first + 1 - done)
      yield isUp ? [first + done, first + done + count - 1] : [last - done - count + 1, last - done]
      done += count
    }
  }
}

/** Slices between two ids, lowest first, without those that lie whole in a gap. */
function withoutGaps(low: number, high: number, gaps: readonly Gap[]): Slices[] {
  const ranges: Slices[] = []
  let next = sliceOf(low)
  for (const { first, last } of gaps.toSorted((a, b) => a.first - b.first)) {
    const [empty, inhabited] = [sliceOf(first - 1) + 1, sliceOf(last + 1)]
    if (empty >= inhabited || inhabited <= next) continue
    const end = Math.min(empty - 1, sliceOf(high))
    if (end >= next) ranges.push([next, end])
    next = inhabited
  }
  if (next <= sliceOf(high)) ranges.push([next, sliceOf(high)])
  return ranges
}

const sliceOf = (id: number): number => Math.floor(id / 2 ** sliceBits)

/** Those of a place that are looked at. */
function slicesOf({ id, first, last }: Place, from: number, to: number): { place: number; slice: number }[] {
  const start = Math.max(first, from)
  const count = Math.max(0, Math.min(last, to) - start + 1)
  return Array.from({ length: count }, (_, index) => ({ place: id, slice: start + index }))
}

/**
 * In three steps, each by itself: PostgreSQL takes any word for a frequent one, and would plan the later steps for
 * millions of rows.
 */
export function byIndex(
  reader: Reader,
  narrow: Narrow,
  needs: Needs,
  to: Direction['to'],
  places: readonly Place[],
  [first, last]: Slices,
): Way {
  const looked = places.flatMap((place) => slicesOf(place, first, last))
  const conditions = sql.join([isVisible(reader, narrow), ...narrow.conditions], sql` and `)
  return (from, limit) => {
    const hits = sql<{ id: number }>`
      with found as materialized (
        select ${filterColumns}
        from unnest(
          ${looked.map(({ place }) => place)}::bigint[], ${looked.map(({ slice }) => slice)}::bigint[]
        ) as looked (place, slice)
        cross join lateral (
          select * from message where ${isIndexed(sql`search_place(looked.place, looked.slice)`, needs)} offset 0
        ) as m
        where m.organization_id = ${reader.organization_id} and looked.place in (m.recipient_id, m.sent_recipient_id)
          and ${to === 'older' ? sql`m.id < ${from}` : sql`m.id > ${from}`}
      )
      select distinct m.id from found m
      ${joinOwnLateral(reader)}
      where ${conditions} order by m.id ${sorted(to)} limit ${limit}`
    return selectCandidates(reader, hits, to, limit)
  }
}
