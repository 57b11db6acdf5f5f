import type { OrganizationId } from '@oxbow/contract'
import type { SearchQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { findMatches } from '../search/find-matches.ts'
import type { Matcher } from '../search/matcher.ts'
import type { Reader } from '../visibility.ts'
import { type Direction, selectIds } from './index-walk.ts'
import type { Narrow } from './narrow/narrow.ts'
import { readNarrowed } from './read-narrowed.ts'

/**
 * Finds the message with the lowest id that matches the narrow and was sent at `time` or later. A
 * message gets its time and its id at nearly the same moment, so a binary search over the ids finds
 * the id to start from. No index on the time is needed.
 */
export async function findFirstSince(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery | undefined,
  time: Date,
  matcher: Matcher,
): Promise<number | undefined> {
  const start = await findIdBefore(db, reader.organization_id, time)
  const first: Direction = { from: start, to: 'newer', limit: 1 }
  const since: Narrow = { ...narrow, conditions: [...narrow.conditions, sql<boolean>`m.sent_at >= ${time}`] }
  if (query) return (await findMatches(db, reader, since, query, first, matcher)).ids[0]
  const [found] = await readNarrowed(
    db,
    sql<{ id: number }>`select id from (${selectIds(reader, since, first)}) as found order by id limit 1`,
  )
  return found?.id
}

/**
 * Maximum number of seconds by which a message may have an earlier time than a message with a
 * smaller id. This happens if PostgreSQL's clock is set back or a server with another clock takes
 * over.
 */
const maxClockStepSeconds = 600

/** Returns an id below all messages of the organization that were sent at `time` or later. */
async function findIdBefore(db: Db, organization_id: OrganizationId, time: Date): Promise<number> {
  const bound = new Date(time.getTime() - maxClockStepSeconds * 1_000)
  // The search keeps this true: the newest message up to `low` was sent before the bound, and the
  // first message above `high` was not.
  const { rows } = await sql<{ low: number }>`
    with recursive step (low, high) as (
      select 0::bigint, coalesce(max(id), 0) from message where organization_id = ${organization_id}
      union all
      select case when found.is_earlier then middle else low end, case when found.is_earlier then high else middle - 1 end
      from step
      cross join lateral (select (low + high + 1) / 2 as middle) as half
      cross join lateral (
        select coalesce((
          select sent_at < ${bound} from message
          where organization_id = ${organization_id} and id <= middle order by id desc limit 1
        ), true) as is_earlier
      ) as found
      where low < high
    )
    select max(low) as low from step`.execute(db)
  return rows[0]?.low ?? 0
}
