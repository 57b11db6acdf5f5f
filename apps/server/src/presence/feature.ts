import type { Feature } from '../feature.ts'
import { presenceEventShape } from './event-shape.ts'
import { forgetOldPresence } from './forget-old-presence.ts'
import { presenceRoutes } from './routes.ts'
import { presenceState } from './state.ts'

/** Presence reports and lists. */
export const presenceFeature = {
  routes: { presence: presenceRoutes },
  state: [presenceState],
  eventShapes: () => [presenceEventShape],
  jobs: [forgetOldPresence],
} satisfies Feature
