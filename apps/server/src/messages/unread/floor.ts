import { maxUnreadMessages } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { selectCandidateIds } from './selections.ts'

/** How far back the first look goes, in ids. */
const firstWindow = 4 * maxUnreadMessages
/** Where a window has more, they are not sorted; a smaller one has as many as are wanted. */
const mostSorted = 4 * maxUnreadMessages

/**
 * The id from which on there are as many messages that can be unread as are listed; 0 where there are fewer. Whoever never reads
 * has millions of them in hundreds of streams. So it looks at the newest ids of all streams at once, and twice as far
 * back each time, and never at more than a few times as many as are wanted.
 */
export async function findUnreadFloor(db: Db, reader: Reader): Promise<number> {
  if (await areFew(db, reader)) return 0
  const newest = await findNewestId(db, reader)
  let [tooShort, tooLong] = [0, Number.POSITIVE_INFINITY]
  for (let window = firstWindow; ; ) {
    const since = Math.max(0, newest - window)
    const { seen, floor } = await lookBack(db, reader, since)
    const isWhole = seen < mostSorted
    if (isWhole && (floor !== null || since === 0)) return floor ?? 0
    if (isWhole) tooShort = window
    else tooLong = window
    if (tooLong - tooShort <= 1) return since
    window = tooLong === Number.POSITIVE_INFINITY ? window * 2 : Math.floor((tooShort + tooLong) / 2)
  }
}

async function areFew(db: Db, reader: Reader): Promise<boolean> {
  const { rows } = await sql`
    select from (${selectCandidateIds(reader)}) as candidate offset ${maxUnreadMessages} limit 1`.execute(db)
  return rows.length === 0
}

interface Window {
  /** How many there are; not counted beyond a limit. */
  seen: number
  /** The one from which on there are as many as are wanted; null where there are fewer. */
  floor: number | null
}

async function lookBack(db: Db, reader: Reader, since: number): Promise<Window> {
  const { rows } = await sql<Window>`
    with found as materialized (
      select id from (${selectCandidateIds(reader, { since })}) as candidate limit ${mostSorted})
    select (select count(*) from found) as seen,
      (select id from found order by id desc offset ${maxUnreadMessages - 1} limit 1) as floor`.execute(db)
  return rows[0] as Window
}

async function findNewestId(db: Db, { organization_id }: Reader): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from message where organization_id = ${organization_id}`.execute(db)
  return rows[0]?.id ?? 0
}
