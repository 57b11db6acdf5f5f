import type { Feature } from '../feature.ts'
import { defaultStreamRoutes, streamRoutes, subscriptionRoutes } from './routes.ts'
import { defaultStreamGroupsState, defaultStreamsState, mutedTopicsState, streamsState } from './state.ts'
import { streamEventShape } from './stream-event-shape.ts'
import { subscriptionEventShape } from './subscriptions/event-shape.ts'
import { subscriptionsState } from './subscriptions/state.ts'

/** Streams, subscriptions, per-stream settings, default streams, muted topics. */
export const streamsFeature = {
  routes: { streams: streamRoutes, subscriptions: subscriptionRoutes, defaultStreams: defaultStreamRoutes },
  state: [streamsState, subscriptionsState, defaultStreamsState, defaultStreamGroupsState, mutedTopicsState],
  eventShapes: () => [streamEventShape, subscriptionEventShape],
} satisfies Feature
