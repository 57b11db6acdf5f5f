import type { SearchQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type Direction, selectIds } from '../read/index-walk.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import type { Reader } from '../visibility.ts'
import { type SelectCandidates, selectCandidates } from './candidates.ts'
import { filterMatches } from './filter-matches.ts'
import { canMatch, listRequiredWords, type RequiredWords } from './required-words.ts'
import { listSearchLocations } from './search-locations.ts'
import { getSearchEnd, refuseAfter } from './search-time.ts'
import { type IdGap, listSliceRanges, selectByIndex } from './select-by-index.ts'

/**
 * Number of ids next to the anchor whose messages are read in order before the index is used.
 * Common words usually have enough matches among them.
 */
const walkedIds = 16_384

/**
 * Returns the ids of matching messages, nearest to the anchor first. The database finds candidates;
 * the code that highlights matches decides whether a candidate matches. Messages near the anchor
 * are read in order, without the index, because common words occur there. For rare words the index
 * is queried, one slice of message ids after another and only for locations that the reader can
 * see, so the cost does not depend on other messages. If the narrow allows only a small set of
 * messages, all of them are read. Throws `NARROW_TOO_SLOW` after `end`.
 */
export async function findMatches(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  direction: Direction,
  end = getSearchEnd(),
): Promise<number[]> {
  const { limit } = direction
  if (query.needs.length === 0 || limit === 0) return []
  const found: number[] = []
  for await (const step of listSearchSteps(
    db,
    reader,
    narrow,
    listRequiredWords(query, narrow.search),
    direction,
  )) {
    let { from } = step
    for (;;) {
      refuseAfter(end)
      const pageSize = limit - found.length + 10
      const rows = await readNarrowed(db, step.select(from, pageSize))
      found.push(...(await filterMatches(query, rows, end)).map(({ id }) => id))
      if (found.length >= limit) return found.slice(0, limit)
      if (rows.length < pageSize) break
      from = rows.at(-1)?.id ?? from
    }
  }
  return found
}

interface SearchStep {
  from: number
  select: SelectCandidates
}

async function* listSearchSteps(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  needs: RequiredWords,
  { from, to }: Direction,
): AsyncGenerator<SearchStep> {
  const walk = (until?: number): SelectCandidates => selectByWalk(reader, narrow, needs, to, until)
  if (narrow.search.isSmallSet) {
    yield { from, select: walk() }
    return
  }
  const newest = await readNewestId(db)
  const start = Math.min(from, newest + 1)
  const until = to === 'older' ? start - walkedIds : start + walkedIds
  yield { from: start, select: walk(until) }
  if (until <= 0 || until > newest) return
  const locations = await listSearchLocations(db, reader, narrow.search, narrow.includesHistory)
  if (locations.length === 0) return
  for (const slices of listSliceRanges(until, to === 'older' ? 0 : newest, await listGaps(db)))
    yield { from: until, select: selectByIndex(reader, narrow, needs, to, locations, slices) }
}

function selectByWalk(
  reader: Reader,
  narrow: Narrow,
  needs: RequiredWords,
  to: Direction['to'],
  until: number | undefined,
): SelectCandidates {
  const conditions = [...narrow.conditions, canMatch(needs)]
  const near = until === undefined ? {} : { until }
  return (from, limit) =>
    selectCandidates(
      reader,
      selectIds(reader, { ...narrow, conditions }, { from, to, limit, ...near }),
      to,
      limit,
    )
}

async function listGaps(db: Db): Promise<IdGap[]> {
  return db.selectFrom('message_id_gap').select(['first_id as first', 'last_id as last']).execute()
}

async function readNewestId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select last_value as id from message_id`.execute(db)
  return rows[0]?.id ?? 0
}
