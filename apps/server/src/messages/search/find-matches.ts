import { matchMessage, type SearchQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { maxPageBytes } from '../read/fitting-messages.ts'
import { type Direction, selectIds } from '../read/index-walk.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import type { Reader } from '../visibility.ts'
import { type Candidate, type SelectCandidates, selectCandidates } from './candidates.ts'
import { Matcher } from './matcher.ts'
import { canMatch, listRequiredWords, type RequiredWords } from './required-words.ts'
import { listSearchLocations } from './search-locations.ts'
import { type IdGap, listSliceRanges, selectByIndex } from './select-by-index.ts'

/**
 * Number of ids next to the anchor whose messages are read in order before the index is used.
 * Common words usually have enough matches among them.
 */
const walkedIds = 16_384

/** The result of a search on one side of the anchor. */
export interface Matches {
  /** The ids of matching messages, nearest to the anchor first. */
  ids: number[]
  /** Whether there are no further matches. */
  isComplete: boolean
}

/**
 * Processor time after which a search on one side of the anchor ends with the matches that it has. With another side,
 * and the highlights of all matches, a request takes about four times as long.
 */
const maxSideMs = 200

/**
 * Finds matching messages, up to `limit` or until they no longer fit into a response. The database finds candidates;
 * the code that highlights matches decides whether a candidate matches. Messages near the anchor
 * are read in order, without the index, because common words occur there. For rare words the index
 * is queried, one slice of message ids after another and only for locations that the reader can
 * see, so the cost does not depend on other messages. If the narrow allows only a small set of
 * messages, all of them are read. Throws `NARROW_TOO_SLOW` if nothing was found in time.
 */
export async function findMatches(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  direction: Direction,
  matcher = new Matcher(),
): Promise<Matches> {
  const { limit } = direction
  const ids: number[] = []
  if (query.needs.length === 0 || limit === 0) return { ids, isComplete: limit > 0 }
  const needs = listRequiredWords(query, narrow.search)
  const maxMs = matcher.processorMs + maxSideMs
  let bytes = 0
  for await (const step of listSearchSteps(db, reader, narrow, needs, direction)) {
    for await (const candidate of readCandidates(db, step, limit + 10)) {
      const isFull = ids.length === limit || bytes > maxPageBytes || matcher.processorMs > maxMs
      if (isFull && ids.length > 0) return { ids, isComplete: false }
      if (!(await matcher.match(() => matchMessage(query, candidate)))) continue
      bytes += candidate.size
      ids.push(candidate.id)
    }
  }
  return { ids, isComplete: ids.length < limit }
}

/** Yields the candidates of a step, nearest to the anchor first. They are read in batches of up to `limit`. */
async function* readCandidates(
  db: Db,
  { from: start, select }: SearchStep,
  limit: number,
): AsyncGenerator<Candidate> {
  for (let from = start; ; ) {
    const batch = await readNarrowed(db, select(from, limit))
    yield* batch
    const last = batch.at(-1)
    if (!last || (last.hits < limit && batch.length === last.hits)) return
    from = last.id
  }
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
