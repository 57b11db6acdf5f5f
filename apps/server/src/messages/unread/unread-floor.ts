import { maxUnreadMessages } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { selectCandidateIds } from './selections.ts'

/** Number of message ids in the first range. */
const initialRangeLength = 4 * maxUnreadMessages
/** If a range has more candidates than this, it is not sorted, and a shorter range is tried. */
const maxSortedIds = 4 * maxUnreadMessages

/**
 * Returns the lowest id to list, such that `maxUnreadMessages` messages with this id or a larger
 * one can be unread. Returns 0 if there are fewer. An account that never reads has millions of
 * unread messages in hundreds of streams, so the function reads a range of the newest ids across
 * all streams and doubles the range until it is sufficient. It never sorts more than `maxSortedIds`
 * ids at once.
 */
export async function findUnreadFloor(db: Db, reader: Reader): Promise<number> {
  if (await hasFewCandidates(db, reader)) return 0
  const newest = await findNewestId(db, reader)
  let [tooShort, tooLong] = [0, Number.POSITIVE_INFINITY]
  for (let length = initialRangeLength; ; ) {
    const since = Math.max(0, newest - length)
    const { seenCount, floor } = await readRange(db, reader, since)
    const isWhole = seenCount < maxSortedIds
    if (isWhole && (floor !== null || since === 0)) return floor ?? 0
    if (isWhole) tooShort = length
    else tooLong = length
    if (tooLong - tooShort <= 1) return since
    length = tooLong === Number.POSITIVE_INFINITY ? length * 2 : Math.floor((tooShort + tooLong) / 2)
  }
}

async function hasFewCandidates(db: Db, reader: Reader): Promise<boolean> {
  const { rows } = await sql`
    select from (${selectCandidateIds(reader)}) as candidate offset ${maxUnreadMessages} limit 1`.execute(db)
  return rows.length === 0
}

interface RangeResult {
  /** The number of candidates in the range, but at most `maxSortedIds`. */
  seenCount: number
  /** The lowest id to list; null if the range has fewer than `maxUnreadMessages` candidates. */
  floor: number | null
}

async function readRange(db: Db, reader: Reader, since: number): Promise<RangeResult> {
  const { rows } = await sql<RangeResult>`
    with found as materialized (
      select id from (${selectCandidateIds(reader, { since })}) as candidate limit ${maxSortedIds})
    select (select count(*) from found) as "seenCount",
      (select id from found order by id desc offset ${maxUnreadMessages - 1} limit 1) as floor`.execute(db)
  return rows[0] as RangeResult
}

async function findNewestId(db: Db, { organization_id }: Reader): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from message where organization_id = ${organization_id}`.execute(db)
  return rows[0]?.id ?? 0
}
