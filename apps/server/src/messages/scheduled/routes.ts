import type { api } from '@oxbow/contract'
import type { Routes } from '../../platform/http/bind.ts'
import { createScheduledMessage } from './create-scheduled-message.ts'
import { editScheduledMessage } from './edit-scheduled-message.ts'
import { listOwnScheduledMessages } from './list-scheduled-messages.ts'
import { removeScheduledMessage } from './remove-scheduled-message.ts'

export const scheduledMessageRoutes: Routes<typeof api.scheduledMessages> = {
  list: listOwnScheduledMessages,
  create: createScheduledMessage,
  edit: editScheduledMessage,
  remove: removeScheduledMessage,
}
