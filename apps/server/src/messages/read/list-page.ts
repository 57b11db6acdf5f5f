import type { SearchQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { findMatches } from '../search/find-matches.ts'
import type { Matcher } from '../search/matcher.ts'
import { isUnread, type Reader } from '../visibility.ts'
import type { Page } from './anchor.ts'
import type { MessageTexts } from './fitting-messages.ts'
import { type Direction, selectIds } from './index-walk.ts'
import { isMuted, isTopicMuted } from './narrow/muting.ts'
import type { Narrow } from './narrow/narrow.ts'
import { readNarrowed } from './read-narrowed.ts'
import { readShownMessages } from './read-shown-messages.ts'
import { countOnSide, type ShownPage } from './shown-message.ts'

/**
 * Maximum numbers of messages on one side of the anchor for which there is a statement that is planned once. A page
 * with fewer messages reads no more of them than it needs, except where several indexes are merged.
 */
const commonLimits = [50, 100]

/**
 * Lists the messages around the anchor that match the narrow, from the anchor outwards as many as fit into a
 * response.
 */
export async function listPage(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  page: Page,
  texts: MessageTexts,
): Promise<ShownPage> {
  const { anchor, before, after } = page
  const noIds = sql`select 0::bigint as id where false`
  const commonLimit = narrow.isCommon
    ? commonLimits.find((limit) => limit >= Math.max(before, after))
    : undefined
  const select = (to: Direction['to'], limit: number) =>
    limit > 0 ? selectIds(reader, narrow, { from: anchor, to, limit: commonLimit ?? limit }) : noIds
  const { messages, found } = await readShownMessages(
    db,
    reader,
    sql`
      select id, 'before' as side from (select id from (${select('older', before)}) as each order by id desc limit ${before}) as older
      union all select id, 'anchor' from (${selectAnchor(reader, narrow, anchor)}) as itself
      union all select id, 'after' from (select id from (${select('newer', after)}) as each order by id limit ${after}) as newer`,
    texts,
    commonLimit !== undefined,
  )
  const isEnd = (side: 'before' | 'after') =>
    found[side] < page[side] && countOnSide(messages, side) === found[side]
  return { messages, isEnd: { before: isEnd('before'), after: isEnd('after') } }
}

const selectAnchor = (reader: Reader, narrow: Narrow, anchor: number) =>
  selectIds(
    reader,
    { ...narrow, indexHints: { message: anchor } },
    { from: anchor - 1, to: 'newer', limit: 1 },
  )

/**
 * Finds the oldest unread and unmuted message that matches the narrow. If the narrow contains a
 * stream, the stream's muting is ignored, but muted topics are skipped.
 */
export async function findFirstUnread(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery | undefined,
  matcher: Matcher,
): Promise<number | undefined> {
  const { namedStream } = narrow
  const isExcluded = namedStream ? isTopicMuted(reader) : isMuted(reader)
  const unread: Narrow = {
    ...narrow,
    includesHistory: false,
    conditions: [...narrow.conditions, isUnread(reader), sql<boolean>`not ${isExcluded}`],
    indexHints: {
      isUnread: true,
      ...(!namedStream && { isHome: true as const }),
      ...(narrow.indexHints.stream && { stream: narrow.indexHints.stream }),
      ...(narrow.indexHints.conversation !== undefined && { conversation: narrow.indexHints.conversation }),
    },
    search: { isSmallSet: true },
  }
  const first: Direction = { from: 0, to: 'newer', limit: 1 }
  if (query) return (await findMatches(db, reader, unread, query, first, matcher)).ids[0]
  const [oldest] = await readNarrowed(
    db,
    sql<{ id: number }>`
      select id from (${selectIds(reader, unread, first)}) as unread
      order by id limit 1`,
    narrow.isCommon,
  )
  return oldest?.id
}
