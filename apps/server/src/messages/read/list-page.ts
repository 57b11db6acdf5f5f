import type { OrganizationId } from '@oxbow/contract'
import type { SearchQuery } from '@oxbow/search'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { MessageEditRow } from '../../platform/database/tables.ts'
import { messageColumns } from '../columns.ts'
import { filterMatches } from '../search/filter-matches.ts'
import { findMatches } from '../search/find-matches.ts'
import { getSearchEnd } from '../search/search-time.ts'
import { isReceived, isUnread, joinOwn, type Reader } from '../visibility.ts'
import type { Page } from './anchor.ts'
import { type Direction, isVisible, selectIds } from './index-walk.ts'
import { isMuted, isTopicMuted } from './narrow/muting.ts'
import type { Narrow } from './narrow/narrow.ts'
import { readNarrowed } from './read-narrowed.ts'
import type { ShownMessage } from './shown-message.ts'

/** Lists the messages around the anchor that match the narrow, in ascending order of ids. */
export function listPage(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  { anchor, before, after }: Page,
): Promise<ShownMessage[]> {
  const noIds = sql`select 0::bigint as id where false`
  const older = before > 0 ? selectIds(reader, narrow, { from: anchor, to: 'older', limit: before }) : noIds
  const newer = after > 0 ? selectIds(reader, narrow, { from: anchor, to: 'newer', limit: after }) : noIds
  return readShownMessages(
    db,
    reader,
    sql`
      select id, 'before' as side from (select id from (${older}) as each order by id desc limit ${before}) as older
      union all select id, 'anchor' from (${selectAnchor(reader, narrow, anchor)}) as itself
      union all select id, 'after' from (select id from (${newer}) as each order by id limit ${after}) as newer`,
  )
}

const selectAnchor = (reader: Reader, narrow: Narrow, anchor: number) =>
  selectIds(
    reader,
    { ...narrow, indexHints: { message: anchor } },
    { from: anchor - 1, to: 'newer', limit: 1 },
  )

/** How often a search is repeated if messages change between its statements. */
const maxSearches = 3

/**
 * Like `listPage`, but for messages that also match a search query. A message that is edited, moved or deleted after
 * it was found is not returned. The search is then repeated, because a shorter page would look like the last one. One
 * transaction for all statements would avoid that, but a long search would keep a connection from other requests.
 */
export async function searchPage(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  page: Page,
): Promise<ShownMessage[]> {
  const end = getSearchEnd()
  for (let count = 1; ; count++) {
    const found = await findPage(db, reader, narrow, query, page, end)
    const messages = await readFound(db, reader, narrow, found)
    const matches = await filterMatches(query, messages, end)
    if (matches.length === found.length || count === maxSearches) return matches
  }
}

interface FoundMessage {
  id: number
  side: string
}

async function findPage(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery,
  { anchor, before, after }: Page,
  end: number,
): Promise<FoundMessage[]> {
  const find = (narrowed: Narrow, direction: Direction) =>
    findMatches(db, reader, narrowed, query, direction, end)
  const anchorNarrow: Narrow = { ...narrow, indexHints: { message: anchor }, search: { isSmallSet: true } }
  const sides = {
    before: await find(narrow, { from: anchor, to: 'older', limit: before }),
    anchor: await find(anchorNarrow, { from: anchor - 1, to: 'newer', limit: 1 }),
    after: await find(narrow, { from: anchor, to: 'newer', limit: after }),
  }
  return Object.entries(sides).flatMap(([side, ids]) => ids.map((id) => ({ id, side })))
}

/** Reads found messages, except those that the narrow no longer contains. */
function readFound(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  found: readonly FoundMessage[],
): Promise<ShownMessage[]> {
  const ids = found.map(({ id }) => id)
  const sideNames = found.map(({ side }) => side)
  return readShownMessages(
    db,
    reader,
    sql`
      select found.id, found.side from unnest(${ids}::bigint[], ${sideNames}::text[]) as found (id, side)
      join message m on m.organization_id = ${reader.organization_id} and m.id = found.id
      ${joinOwn(reader)}
      where ${sql.join([isVisible(reader, narrow), ...narrow.conditions], sql` and `)}`,
  )
}

/**
 * Reads one message with the reader's flags. Returns an empty list if the message does not exist.
 */
export const readShownMessage = (db: Db, reader: Reader, id: number): Promise<ShownMessage[]> =>
  readShownMessages(db, reader, sql`select ${id}::bigint as id, 'anchor' as side`)

/** Reads messages with the reader's flags, in ascending order of ids. */
function readShownMessages(db: Db, reader: Reader, page: RawBuilder<unknown>): Promise<ShownMessage[]> {
  return readNarrowed(
    db,
    sql<ShownMessage>`
    with page as materialized (${page})
    select ${messageColumns}, page.side, ${isReceived(reader)} as is_received, ${isUnread(reader)} as is_unread,
      own.is_starred, own.is_collapsed, own.is_mentioned, own.has_alert_word, own.is_historical,
      stream.name as stream_name, conversation.members
    from page
    join message m on m.organization_id = ${reader.organization_id} and m.id = page.id
    ${joinOwn(reader)}
    left join stream on not m.is_private and stream.organization_id = m.organization_id and stream.id = m.recipient_id
    left join conversation on m.is_private
      and conversation.organization_id = m.organization_id and conversation.id = m.recipient_id
    order by m.id`,
  )
}

/**
 * Finds the oldest unread and unmuted message that matches the narrow. If the narrow contains a
 * stream, the stream's muting is ignored, but muted topics are skipped.
 */
export async function findFirstUnread(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery | undefined,
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
  if (query) return (await findMatches(db, reader, unread, query, first))[0]
  const [oldest] = await readNarrowed(
    db,
    sql<{ id: number }>`
      select id from (${selectIds(reader, unread, first)}) as unread
      order by id limit 1`,
  )
  return oldest?.id
}

/** Lists the edits of these messages, newest first. */
export async function listEdits(
  db: Db,
  organization_id: OrganizationId,
  messages: readonly number[],
): Promise<MessageEditRow[]> {
  if (messages.length === 0) return []
  const { rows } = await sql<MessageEditRow>`
    select * from message_edit
    where organization_id = ${organization_id} and message_id = any(${messages}::bigint[])
    order by message_id, id desc`.execute(db)
  return rows
}
