import { maxUnreadMessages } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { selectCandidateIds } from './selections.ts'

/** Size of the first window, in message ids. */
const initialWindowIds = 4 * maxUnreadMessages
/** A window with more candidates is not sorted; a smaller window has enough. */
const maxSortedIds = 4 * maxUnreadMessages

/**
 * Returns the id from which on there are as many messages that can be unread as are listed, or 0
 * where there are fewer. An account that never reads has millions of them in hundreds of streams,
 * so this reads windows of the newest ids across all streams, doubling the window each time, and
 * never sorts more than a few times the number listed.
 */
export async function findUnreadFloor(db: Db, reader: Reader): Promise<number> {
  if (await hasFewCandidates(db, reader)) return 0
  const newest = await findNewestId(db, reader)
  let [tooShort, tooLong] = [0, Number.POSITIVE_INFINITY]
  for (let window = initialWindowIds; ; ) {
    const since = Math.max(0, newest - window)
    const { seenCount, floor } = await readWindow(db, reader, since)
    const isWhole = seenCount < maxSortedIds
    if (isWhole && (floor !== null || since === 0)) return floor ?? 0
    if (isWhole) tooShort = window
    else tooLong = window
    if (tooLong - tooShort <= 1) return since
    window = tooLong === Number.POSITIVE_INFINITY ? window * 2 : Math.floor((tooShort + tooLong) / 2)
  }
}

async function hasFewCandidates(db: Db, reader: Reader): Promise<boolean> {
  const { rows } = await sql`
    select from (${selectCandidateIds(reader)}) as candidate offset ${maxUnreadMessages} limit 1`.execute(db)
  return rows.length === 0
}

interface Window {
  /** The number of candidates, counted up to `maxSortedIds`. */
  seenCount: number
  /**
   * Returns the id from which on there are as many messages that can be unread as are listed, or 0
   * where there are fewer. An account that never reads has millions of them in hundreds of streams,
   * so this reads windows of the newest ids across all streams, doubling the window each time, and
   * never sorts more than a few times the number listed.
   */
  floor: number | null
}

async function readWindow(db: Db, reader: Reader, since: number): Promise<Window> {
  const { rows } = await sql<Window>`
    with found as materialized (
      select id from (${selectCandidateIds(reader, { since })}) as candidate limit ${maxSortedIds})
    select (select count(*) from found) as "seenCount",
      (select id from found order by id desc offset ${maxUnreadMessages - 1} limit 1) as floor`.execute(db)
  return rows[0] as Window
}

async function findNewestId(db: Db, { organization_id }: Reader): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from message where organization_id = ${organization_id}`.execute(db)
  return rows[0]?.id ?? 0
}
