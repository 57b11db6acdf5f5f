import type { MessageRow } from '../platform/database/tables.ts'

/** What decides who hears of something that happens to a message. */
export type Told = Pick<MessageRow, 'id' | 'sent_recipient_id' | 'outbox_id'>
