import type { Feature } from '../feature.ts'
import { alertWordRoutes } from './routes.ts'
import { alertWordsState } from './state.ts'

/** Words that users want to be alerted by. */
export const alertWordsFeature = {
  routes: { alertWords: alertWordRoutes },
  state: [alertWordsState],
} satisfies Feature
