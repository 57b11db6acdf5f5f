import type { StateSlice } from '../events/state-slice.ts'
import type { Feature } from '../feature.ts'
import {
  defaultStreamRoutes,
  streamFolderRoutes,
  streamRoutes,
  streamSectionRoutes,
  subscriptionRoutes,
} from './routes.ts'
import {
  defaultStreamGroupsState,
  defaultStreamsState,
  mutedTopicsState,
  streamFoldersState,
  streamSectionsState,
  streamsState,
  userTopicsState,
} from './state.ts'
import { streamEventShape } from './stream-event-shape.ts'
import { subscriptionEventShape } from './subscriptions/event-shape.ts'
import { readSubscriptions } from './subscriptions/list-subscriptions.ts'
import { moveAttentionJob } from './topic-attention/move-attention.ts'

const subscriptionsState: StateSlice = {
  types: ['subscription'],
  read: ({ app, actor, db, options }) =>
    readSubscriptions(app, db, actor, {
      withMembers: options.include_subscribers,
      keepsNullSettings: options.notification_settings_null,
      scope: 'all',
    }),
}

/** Streams, subscriptions, per-stream settings, default streams, muted topics. */
export const streamsFeature = {
  routes: {
    streams: streamRoutes,
    streamFolders: streamFolderRoutes,
    streamSections: streamSectionRoutes,
    subscriptions: subscriptionRoutes,
    defaultStreams: defaultStreamRoutes,
  },
  state: [
    streamsState,
    streamFoldersState,
    streamSectionsState,
    subscriptionsState,
    defaultStreamsState,
    defaultStreamGroupsState,
    mutedTopicsState,
    userTopicsState,
  ],
  jobs: [moveAttentionJob],
  eventShapes: () => [streamEventShape, subscriptionEventShape],
} satisfies Feature
