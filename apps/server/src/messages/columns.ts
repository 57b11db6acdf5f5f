import { type RawBuilder, sql } from 'kysely'
import type { MessageRow } from '../platform/database/tables.ts'

const names = {
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

const columns = (which: readonly string[]): RawBuilder<unknown> =>
  sql.join(which.map((name) => sql.ref(`m.${name}`)))

/** All of a row `m` of message but for what only searches look at, which is as much again. */
export const messageColumns: RawBuilder<unknown> = columns(Object.keys(names))

const { content: _content, rendered_content: _html, ...others } = names

/** Without the texts: what conditions look at. */
export const decidingColumns: RawBuilder<unknown> = columns(Object.keys(others))
