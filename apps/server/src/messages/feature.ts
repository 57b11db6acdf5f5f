import type { Feature, Work } from '../feature.ts'
import type { App } from '../platform/app.ts'
import { deleteEventShape } from './delete-event-shape.ts'
import { deleteOldLinkPages } from './link-previews/delete-old-pages.ts'
import { startLinkPreviews } from './link-previews/start-previews.ts'
import { getMessageMetrics } from './metrics.ts'
import { sendNotices, sendNoticesOfBot } from './notices.ts'
import { reactionEventShape } from './reactions/event-shape.ts'
import { fetchedMessagesState } from './read/fetched-messages-state.ts'
import { messageRoutes } from './routes.ts'
import { startScheduledDelivery } from './scheduled/delivery/start-delivery.ts'
import { scheduledMessageRoutes } from './scheduled/routes.ts'
import { scheduledMessagesState } from './scheduled/state.ts'
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

/** Sending, scheduling, reading, editing, deletion, reactions, flags, search, previews, notices, retention. */
export const messagesFeature = {
  routes: { messages: messageRoutes, scheduledMessages: scheduledMessageRoutes, streams: topicRoutes },
  state: [
    newestMessageState,
    unreadState,
    starredState,
    recentConversationsState,
    scheduledMessagesState,
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
