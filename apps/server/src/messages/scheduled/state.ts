import type { StateSlice } from '../../events/state-slice.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessagesToJson } from './views.ts'

export const scheduledMessagesState: StateSlice = {
  types: ['scheduled_messages'],
  read: async ({ actor, db }) => ({
    scheduled_messages: await scheduledMessagesToJson(await listScheduledMessages(db, actor)),
  }),
}
