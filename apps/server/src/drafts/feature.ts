import type { Feature } from '../feature.ts'
import { draftRoutes } from './routes.ts'
import { draftsState } from './state.ts'

/** Texts that users have not sent yet. */
export const draftsFeature = {
  routes: { drafts: draftRoutes },
  state: [draftsState],
} satisfies Feature
