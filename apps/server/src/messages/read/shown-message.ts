import type { UserId } from '@oxbow/contract'
import type { MessageRow } from '../../platform/database/tables.ts'

/** A message with the reader's flags and read state. */
export interface ShownMessage extends MessageRow {
  side: 'before' | 'anchor' | 'after'
  is_received: boolean
  is_unread: boolean
  is_starred: boolean | null
  is_collapsed: boolean | null
  is_mentioned: boolean | null
  has_alert_word: boolean | null
  is_historical: boolean | null
  stream_name: string | null
  members: UserId[] | null
}
