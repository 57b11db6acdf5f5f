import { sql } from 'kysely'
import { decidingColumns } from '../columns.ts'
import type { Narrow } from '../read/narrow/compile.ts'
import { type Direction, isVisible } from '../read/walk.ts'
import { lookUpOwn, type Reader } from '../visibility.ts'
import { selectCandidates, sorted, type Way } from './candidates.ts'
import { isIndexed, type Needs } from './needs.ts'
import { type Place, sliceBits } from './places.ts'

export type Slices = readonly [first: number, last: number]

/** More and more at a time, from the slice of one id to that of another: where little is found, much is looked at. */
export function* sliceGroups(from: number, to: number): Generator<Slices> {
  const far = sliceOf(to)
  const step = far < sliceOf(from) ? -1 : 1
  for (let near = sliceOf(from), size = 1; ; size *= 2) {
    const last = step > 0 ? Math.min(near + size - 1, far) : Math.max(near - size + 1, far)
    yield [Math.min(near, last), Math.max(near, last)]
    if (last === far) return
    near = last + step
  }
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
        select ${decidingColumns}
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
      ${lookUpOwn(reader)}
      where ${conditions} order by m.id ${sorted(to)} limit ${limit}`
    return selectCandidates(reader, hits, to, limit)
  }
}
