import { highlight, type SearchQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { proxyStoredPictures } from '../external-pictures/proxy-pictures.ts'
import { findMatches, type Matches } from '../search/find-matches.ts'
import type { Matcher } from '../search/matcher.ts'
import { joinOwn, type Reader } from '../visibility.ts'
import type { Page } from './anchor.ts'
import { type Direction, isVisible } from './index-walk.ts'
import type { Narrow } from './narrow/narrow.ts'
import { type ReadMessages, readShownMessages } from './read-shown-messages.ts'
import { countOnSide, type ShownMessage, type ShownPage, type Side } from './shown-message.ts'

/** How often a search is repeated if messages change between its statements. */
const maxSearches = 3

/**
 * Like `listPage`, but for messages that also match a search query. A message that is edited, moved or deleted after
 * it was found is not returned. The search is then repeated, because a shorter page would look like the last one. One
 * transaction for all statements would avoid that, but a long search would keep a connection from other requests.
 */
export async function searchPage(
  app: App,
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  page: Page,
  matcher: Matcher,
): Promise<ShownPage> {
  for (let count = 1; ; count++) {
    const { hits, isEnd } = await findPage(db, reader, narrow, query, page, matcher)
    const { messages, found } = await readHits(db, reader, narrow, hits)
    const matches = await highlightMatches(app, query, messages, matcher)
    const isUnchanged =
      found.before + found.anchor + found.after === hits.length && matches.length === messages.length
    if (!isUnchanged && count < maxSearches) continue
    const isWhole = (side: 'before' | 'after') => isEnd[side] && countOnSide(messages, side) === found[side]
    return { messages: matches, isEnd: { before: isWhole('before'), after: isWhole('after') } }
  }
}

interface Hit {
  id: number
  side: Side
}

async function findPage(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  { anchor, before, after }: Page,
  matcher: Matcher,
): Promise<{ hits: Hit[]; isEnd: Record<'before' | 'after', boolean> }> {
  const find = (narrowed: Narrow, direction: Direction) =>
    findMatches(db, reader, narrowed, query, direction, matcher)
  const anchorNarrow: Narrow = { ...narrow, indexHints: { message: anchor }, search: { isSmallSet: true } }
  const older = await find(narrow, { from: anchor, to: 'older', limit: before })
  const itself = await find(anchorNarrow, { from: anchor - 1, to: 'newer', limit: 1 })
  const newer = await find(narrow, { from: anchor, to: 'newer', limit: after })
  const on = (side: Side, { ids }: Matches) => ids.map((id) => ({ id, side }))
  return {
    hits: [...on('before', older), ...on('anchor', itself), ...on('after', newer)],
    isEnd: { before: older.isComplete, after: newer.isComplete },
  }
}

/** Reads messages that a search found, except those that the narrow no longer contains. */
function readHits(db: Db, reader: Reader, narrow: Narrow, hits: readonly Hit[]): Promise<ReadMessages> {
  const ids = hits.map(({ id }) => id)
  const sideNames = hits.map(({ side }) => side)
  return readShownMessages(
    db,
    reader,
    sql`
      select hit.id, hit.side from unnest(${ids}::bigint[], ${sideNames}::text[]) as hit (id, side)
      join message m on m.organization_id = ${reader.organization_id} and m.id = hit.id
      ${joinOwn(reader)}
      where ${sql.join([isVisible(reader, narrow), ...narrow.conditions], sql` and `)}`,
    'both',
  )
}

/** Returns the messages that match the query, with highlights. */
async function highlightMatches(
  app: App,
  query: SearchQuery,
  messages: readonly ShownMessage[],
  matcher: Matcher,
): Promise<ShownMessage[]> {
  const found: ShownMessage[] = []
  for (const message of messages) {
    const shown = proxyStoredPictures(app, message.organization_id, message)
    const highlighted = await matcher.match(() => highlight([query], shown))
    if (highlighted) found.push({ ...shown, ...highlighted })
  }
  return found
}
