import type { ScheduledMessagesEvent } from '@oxbow/contract'
import type { EventFields } from '../../events/event-fields.ts'
import type { Emission } from '../../events/record.ts'
import type { ScheduledMessageRow } from '../../platform/database/tables.ts'
import { viewScheduledMessage } from './views.ts'

type Owned = Pick<ScheduledMessageRow, 'organization_id' | 'id' | 'sender_id'>

/** Builds an event for the author of the message. */
const buildEvent = (
  { organization_id, sender_id }: Owned,
  fields: EventFields<ScheduledMessagesEvent>,
): Emission => ({
  organization_id,
  event: { type: 'scheduled_messages', ...fields },
  to: { users: [sender_id] },
})

export const messageScheduled = (row: ScheduledMessageRow): Emission =>
  buildEvent(row, { op: 'add', scheduled_messages: [viewScheduledMessage(row)] })

export const scheduledMessageChanged = (row: ScheduledMessageRow): Emission =>
  buildEvent(row, { op: 'update', scheduled_message: viewScheduledMessage(row) })

/** Builds the event that a scheduled message was sent or deleted. */
export const scheduledMessageRemoved = (row: Owned): Emission =>
  buildEvent(row, { op: 'remove', scheduled_message_id: row.id })
