import type { Feature } from '../feature.ts'
import { userStatusRoutes } from './routes.ts'
import { userStatusState } from './state.ts'

/** Status texts and "away". */
export const userStatusFeature = {
  routes: { userStatus: userStatusRoutes },
  state: [userStatusState],
} satisfies Feature
