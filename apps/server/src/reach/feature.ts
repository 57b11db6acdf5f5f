import type { Feature } from '../feature.ts'
import { explainNotifications } from './explain.ts'

/** Decisions about notifications, and why they were made. */
export const reachFeature = {
  routes: { notifications: { explain: explainNotifications } },
} satisfies Feature
