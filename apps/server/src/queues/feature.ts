import type { StateSlice } from '../events/state-slice.ts'
import type { Feature } from '../feature.ts'
import { eventRoutes } from './routes.ts'

/** Registration, polls, event streams and deletion of queues. */
export const queuesFeature = (state: readonly StateSlice[]) =>
  ({ routes: { events: eventRoutes(state) } }) satisfies Feature
