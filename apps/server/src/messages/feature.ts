import type { api } from '@oxbow/contract'
import type { StateSlice } from '../events/state-slice.ts'
import type { Feature, Work } from '../feature.ts'
import type { App } from '../platform/app.ts'
import type { Routes } from '../platform/http/bind.ts'
import { deleteEventShape } from './delete-event-shape.ts'
import { deleteOldLinkPages } from './link-previews/delete-old-pages.ts'
import { startLinkPreviews } from './link-previews/start-previews.ts'
import { getMessageMetrics } from './metrics.ts'
import { muteUser, unmuteUser } from './muted-people/mute-user.ts'
import { listMutedUsers } from './muted-people/queries.ts'
import { sendNotices, sendNoticesOfBot } from './notices.ts'
import { reactionEventShape } from './reactions/event-shape.ts'
import { fetchedMessagesState } from './read/fetched-messages-state.ts'
import { messageRoutes } from './routes.ts'
import { startScheduledDelivery } from './scheduled/delivery/start-delivery.ts'
import {
  createScheduledMessage,
  editScheduledMessage,
  listOwnScheduledMessages,
  removeScheduledMessage,
} from './scheduled/manage-scheduled-messages.ts'
import { listScheduledMessages } from './scheduled/queries.ts'
import { scheduledMessagesToJson } from './scheduled/views.ts'
import { indexMessages } from './search/index-messages.ts'
import { messageEventShape } from './send/message-events.ts'
import {
  newestMessageState,
  recentConversationsState,
  starredState,
  stopWordsState,
  unreadState,
} from './state.ts'
import { topicRoutes } from './topics.ts'
import { updateEventShape } from './update-event-shape.ts'
import { countTraffic } from './upkeep/count-traffic.ts'
import { deleteOldMessages } from './upkeep/retention.ts'

const scheduledMessageRoutes: Routes<typeof api.scheduledMessages> = {
  list: listOwnScheduledMessages,
  create: createScheduledMessage,
  edit: editScheduledMessage,
  remove: removeScheduledMessage,
}

const scheduledMessagesState: StateSlice = {
  types: ['scheduled_messages'],
  read: async ({ app, actor, db }) => {
    const rows = await listScheduledMessages(db, actor)
    return { scheduled_messages: await scheduledMessagesToJson(app, actor.organization_id, rows) }
  },
}

const mutedUserRoutes: Routes<typeof api.mutedUsers> = { mute: muteUser, unmute: unmuteUser }

const mutedUsersState: StateSlice = {
  types: ['muted_users'],
  read: async ({ actor, db }) => ({ muted_users: await listMutedUsers(db, actor) }),
}

/** Sending, scheduling, reading, editing, deletion, reactions, flags, search, previews, notices, retention. */
export const messagesFeature = {
  routes: {
    messages: messageRoutes,
    scheduledMessages: scheduledMessageRoutes,
    mutedUsers: mutedUserRoutes,
    streams: topicRoutes,
  },
  state: [
    newestMessageState,
    unreadState,
    starredState,
    recentConversationsState,
    scheduledMessagesState,
    mutedUsersState,
    stopWordsState,
    fetchedMessagesState,
  ],
  eventShapes: () => [messageEventShape, updateEventShape, deleteEventShape, reactionEventShape],
  jobs: [sendNotices, sendNoticesOfBot, countTraffic, indexMessages, deleteOldMessages, deleteOldLinkPages],
  start: startWork,
} satisfies Feature

function startWork(app: App): Work {
  // Creates the metrics at startup, so that Prometheus sees the counters start at 0.
  getMessageMetrics(app)
  const work = [startScheduledDelivery(app), startLinkPreviews(app)]
  return {
    async stop() {
      await Promise.all(work.map((delivery) => delivery.stop()))
    },
  }
}
