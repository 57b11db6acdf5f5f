import type { MessageRow } from '../platform/database/tables.ts'

/** The columns of a message that determine who receives events about it. */
export type AudienceKey = Pick<MessageRow, 'id' | 'sent_recipient_id' | 'outbox_id'>
