import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { filterColumns } from '../columns.ts'
import { isReceived, isUnread, joinOwn, type Reader } from '../visibility.ts'
import { type MessageTexts, selectFitting } from './fitting-messages.ts'
import { readNarrowed } from './read-narrowed.ts'
import type { ShownMessage, Side } from './shown-message.ts'

/**
 * Reads one message with the reader's flags. Returns undefined if the message does not exist.
 */
export async function findShownMessage(
  db: Db,
  reader: Reader,
  id: number,
  texts: MessageTexts,
): Promise<ShownMessage | undefined> {
  const page = sql`select ${id}::bigint as id, 'anchor' as side`
  return (await readShownMessages(db, reader, page, texts, true)).messages[0]
}

export interface ReadMessages {
  /** The messages that fit into a response, in ascending order of ids. */
  messages: ShownMessage[]
  /** Numbers of messages on each side of the anchor before those that do not fit were left out. */
  found: Record<Side, number>
}

type CountedRow = ShownMessage & { found_before: number; found_anchor: number; found_after: number }

/**
 * SQL expression: the message `m` has rows in this table. `offset 0` keeps PostgreSQL from reading the whole table
 * for a hash of it.
 */
const hasRows = (table: 'reaction' | 'submessage') => sql<boolean>`exists (
  select from ${sql.table(table)} attached
  where attached.organization_id = m.organization_id and attached.message_id = m.id offset 0)`

/**
 * Reads messages with the reader's flags. `page` selects their ids and on which side of the anchor they are; there
 * must be no other messages of the narrow between them. A common page is planned once for each session.
 */
export async function readShownMessages(
  db: Db,
  reader: Reader,
  page: RawBuilder<unknown>,
  texts: MessageTexts,
  isCommon = false,
): Promise<ReadMessages> {
  const rows = await readNarrowed(
    db,
    sql<CountedRow>`
    with ${selectFitting(reader, page, texts)}
    select ${filterColumns}, ${texts === 'html' ? sql`''` : sql`m.content`} as content,
      ${texts === 'source' ? sql`''` : sql`m.rendered_content`} as rendered_content,
      m.content like '/me %' as is_me_message,
      fitting.side, ${isReceived(reader)} as is_received, ${isUnread(reader)} as is_unread,
      own.is_starred, own.is_collapsed, own.is_mentioned, own.has_alert_word, own.is_historical,
      ${hasRows('reaction')} as has_reactions, ${hasRows('submessage')} as has_submessages,
      stream.name as stream_name, conversation.members, found.*
    from fitting
    join message m on m.organization_id = ${reader.organization_id} and m.id = fitting.id
    cross join (
      select count(*) filter (where side = 'before')::int as found_before,
        count(*) filter (where side = 'anchor')::int as found_anchor,
        count(*) filter (where side = 'after')::int as found_after from page
    ) as found
    ${joinOwn(reader)}
    left join stream on not m.is_private and stream.organization_id = m.organization_id and stream.id = m.recipient_id
    left join conversation on m.is_private
      and conversation.organization_id = m.organization_id and conversation.id = m.recipient_id
    order by m.id`,
    isCommon,
  )
  const { found_before: before = 0, found_anchor: anchor = 0, found_after: after = 0 } = rows[0] ?? {}
  return { messages: rows, found: { before, anchor, after } }
}
