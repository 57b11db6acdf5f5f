import { matchMessage, type SearchQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Narrow } from '../read/narrow/compile.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import { type Direction, selectIds } from '../read/walk.ts'
import type { Reader } from '../visibility.ts'
import { byIndex, type Gap, sliceGroups } from './by-index.ts'
import { selectCandidates, type Way } from './candidates.ts'
import { mayMatch, type Needs, needsOf } from './needs.ts'
import { listPlaces } from './places.ts'

/** So many message ids nearest to the anchor are walked through before the index is asked: what is common is found there. */
const walked = 16_384

/**
 * The ids of the messages that match, the nearest to the anchor first. The database finds candidates; whether one
 * matches is decided here, by the same code that highlights.
 *
 * Words that are common are in the messages next to the anchor, which are walked through as without a search. For words
 * that are rare the index is asked, slice of time by slice of time, and only for the places that the reader sees: the
 * cost does not depend on what is said elsewhere. What is in a small set of the reader's own is walked through whole.
 */
export async function findMatches(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  direction: Direction,
): Promise<number[]> {
  const { limit } = direction
  if (query.needs.length === 0 || limit === 0) return []
  const found: number[] = []
  for await (const way of ways(db, reader, narrow, needsOf(query, narrow.about), direction)) {
    let { from } = way
    for (;;) {
      const asked = limit - found.length + 10
      const rows = await readNarrowed(db, way.select(from, asked))
      found.push(...rows.filter((row) => matchMessage(query, row)).map(({ id }) => id))
      if (found.length >= limit) return found.slice(0, limit)
      if (rows.length < asked) break
      from = rows.at(-1)?.id ?? from
    }
  }
  return found
}

interface Leg {
  from: number
  select: Way
}

async function* ways(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  needs: Needs,
  { from, to }: Direction,
): AsyncGenerator<Leg> {
  const walk = (until?: number): Way => walkUntil(reader, narrow, needs, to, until)
  if (isSmall(narrow)) {
    yield { from, select: walk() }
    return
  }
  const newest = await readNewestId(db)
  const start = Math.min(from, newest + 1)
  const until = to === 'older' ? start - walked : start + walked
  yield { from: start, select: walk(until) }
  if (until <= 0 || until > newest) return
  const places = await listPlaces(db, reader, narrow)
  if (places.length === 0) return
  for (const slices of sliceGroups(until, to === 'older' ? 0 : newest, await listGaps(db)))
    yield { from: until, select: byIndex(reader, narrow, needs, to, places, slices) }
}

const isSmall = ({ about: { message, own, isUnread } }: Narrow): boolean =>
  message !== undefined || isUnread === true || (own !== undefined && own !== 'is_private')

function walkUntil(
  reader: Reader,
  narrow: Narrow,
  needs: Needs,
  to: Direction['to'],
  until: number | undefined,
): Way {
  const conditions = [...narrow.conditions, mayMatch(needs)]
  const near = until === undefined ? {} : { until }
  return (from, limit) =>
    selectCandidates(
      reader,
      selectIds(reader, { ...narrow, conditions }, { from, to, limit, ...near }),
      to,
      limit,
    )
}

async function listGaps(db: Db): Promise<Gap[]> {
  return db.selectFrom('message_id_gap').select(['first_id as first', 'last_id as last']).execute()
}

async function readNewestId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select last_value as id from message_id`.execute(db)
  return rows[0]?.id ?? 0
}
