import type { StateSlice } from '../events/state-slice.ts'
import type { Feature } from '../feature.ts'
import { eventRoutes } from './routes.ts'

/** Register, polls, event streams, deleting a queue. */
export const queuesFeature = (state: readonly StateSlice[]) =>
  ({ routes: { events: eventRoutes(state) } }) satisfies Feature
