import type { StateSlice } from '../../events/state-slice.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessagesToJson } from './views.ts'

export const scheduledMessagesState: StateSlice = {
  types: ['scheduled_messages'],
  read: async ({ app, actor, db }) => {
    const rows = await listScheduledMessages(db, actor)
    return { scheduled_messages: await scheduledMessagesToJson(app, actor.organization_id, rows) }
  },
}
