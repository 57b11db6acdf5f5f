import { type RawBuilder, sql } from 'kysely'
import type { MessageRow } from '../platform/database/tables.ts'

const messageColumnNames = {
  organization_id: true,
  id: true,
  sent_recipient_id: true,
  recipient_id: true,
  arrived_id: true,
  changed_id: true,
  outbox_id: true,
  sender_id: true,
  sent_at: true,
  edited_at: true,
  is_private: true,
  mentions_wildcard: true,
  has_link: true,
  has_image: true,
  has_attachment: true,
  client: true,
  topic: true,
  folded_topic: true,
  content: true,
  rendered_content: true,
} satisfies Record<keyof MessageRow, true>

const selectColumns = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(`m.${name}`)))

/**
 * All columns of a row `m` of message except the search index, which would double the row's size.
 */
export const messageColumns: RawBuilder<unknown> = selectColumns(Object.keys(messageColumnNames))

const { content: _content, rendered_content: _html, ...nonTextColumns } = messageColumnNames

/** The columns that the conditions of a narrow can use: all except the content and its HTML. */
export const filterColumns: RawBuilder<unknown> = selectColumns(Object.keys(nonTextColumns))

/** The columns of a message that determine who receives events about it. */
export type AudienceKey = Pick<MessageRow, 'id' | 'sent_recipient_id' | 'outbox_id'>
