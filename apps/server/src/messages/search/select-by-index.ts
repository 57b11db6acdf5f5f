import { sql } from 'kysely'
import { filterColumns } from '../columns.ts'
import { type Direction, isVisible } from '../read/index-walk.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import { joinOwnLateral, type Reader } from '../visibility.ts'
import { type SelectCandidates, selectCandidates, sortOrder } from './candidates.ts'
import { hasIndexedWords, type RequiredWords } from './required-words.ts'
import type { SearchLocation } from './search-hints.ts'
import { sliceBits } from './search-locations.ts'

export type SliceRange = readonly [first: number, last: number]

/** A range of message ids that were never allocated, including both ends. */
export interface IdGap {
  first: number
  last: number
}

/**
 * Yields ranges of slices from the slice of one id to the slice of another. Each range is twice as
 * large as the previous one, so that a search with few hits soon covers many slices per query.
 * Skips slices that lie completely in a gap; there may be thousands of them.
 */
export function* listSliceRanges(
  from: number,
  to: number,
  gaps: readonly IdGap[] = [],
): Generator<SliceRange> {
  const isUp = getSlice(to) > getSlice(from)
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

/**
 * Returns the slice ranges between two ids in ascending order, without slices that lie completely
 * in a gap.
 */
function withoutGaps(low: number, high: number, gaps: readonly IdGap[]): SliceRange[] {
  const ranges: SliceRange[] = []
  let next = getSlice(low)
  for (const { first, last } of gaps.toSorted((a, b) => a.first - b.first)) {
    const [empty, inhabited] = [getSlice(first - 1) + 1, getSlice(last + 1)]
    if (empty >= inhabited || inhabited <= next) continue
    const end = Math.min(empty - 1, getSlice(high))
    if (end >= next) ranges.push([next, end])
    next = inhabited
  }
  if (next <= getSlice(high)) ranges.push([next, getSlice(high)])
  return ranges
}

const getSlice = (id: number): number => Math.floor(id / 2 ** sliceBits)

/** Lists the slices of a location that lie in the searched range. */
function listSlices(
  { id, first, last }: SearchLocation,
  from: number,
  to: number,
): { location: number; slice: number }[] {
  const start = Math.max(first, from)
  const count = Math.max(0, Math.min(last, to) - start + 1)
  return Array.from({ length: count }, (_, index) => ({ location: id, slice: start + index }))
}

/**
 * Selects candidates by index in three separate steps. PostgreSQL assumes that every word is
 * frequent and would plan a single step as if it had millions of rows.
 */
export function selectByIndex(
  reader: Reader,
  narrow: Narrow,
  needs: RequiredWords,
  to: Direction['to'],
  locations: readonly SearchLocation[],
  [first, last]: SliceRange,
): SelectCandidates {
  const searched = locations.flatMap((location) => listSlices(location, first, last))
  const conditions = sql.join([isVisible(reader, narrow), ...narrow.conditions], sql` and `)
  return (from, limit) => {
    const hits = sql<{ id: number }>`
      with found as materialized (
        select ${filterColumns}
        from unnest(
          ${searched.map(({ location }) => location)}::bigint[], ${searched.map(({ slice }) => slice)}::bigint[]
        ) as searched (location, slice)
        cross join lateral (
          select * from message where ${hasIndexedWords(sql`search_place(searched.location, searched.slice)`, needs)} offset 0
        ) as m
        where m.organization_id = ${reader.organization_id} and searched.location in (m.recipient_id, m.sent_recipient_id)
          and ${to === 'older' ? sql`m.id < ${from}` : sql`m.id > ${from}`}
      )
      select distinct m.id from found m
      ${joinOwnLateral(reader)}
      where ${conditions} order by m.id ${sortOrder(to)} limit ${limit}`
    return selectCandidates(reader, hits, to, limit)
  }
}
