import type { Feature } from '../feature.ts'
import { linkifierRoutes } from './routes.ts'
import { linkifiersState } from './state.ts'

/** Patterns that become links in messages and topics. */
export const linkifiersFeature = {
  routes: { linkifiers: linkifierRoutes },
  state: [linkifiersState],
} satisfies Feature
