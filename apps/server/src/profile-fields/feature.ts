import type { Feature } from '../feature.ts'
import { profileFieldRoutes } from './routes.ts'
import { externalAccountsState, profileFieldsState } from './state.ts'

/** Definitions of custom profile fields. */
export const profileFieldsFeature = {
  routes: { profileFields: profileFieldRoutes },
  state: [profileFieldsState, externalAccountsState],
} satisfies Feature
