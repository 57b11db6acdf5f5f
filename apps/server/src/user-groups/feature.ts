import type { Feature } from '../feature.ts'
import { userGroupRoutes } from './routes.ts'
import { userGroupsState } from './state.ts'

/** Groups of users that can be mentioned. */
export const userGroupsFeature = {
  routes: { userGroups: userGroupRoutes },
  state: [userGroupsState],
} satisfies Feature
