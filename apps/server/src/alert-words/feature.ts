import type { Feature } from '../feature.ts'
import { alertWordRoutes } from './routes.ts'
import { alertWordsState } from './state.ts'

/** Words whose occurrence in a message alerts a user. */
export const alertWordsFeature = {
  routes: { alertWords: alertWordRoutes },
  state: [alertWordsState],
} satisfies Feature
