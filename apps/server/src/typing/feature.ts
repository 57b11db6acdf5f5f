import type { Feature } from '../feature.ts'
import { typingRoutes } from './routes.ts'

/** Typing notifications. */
export const typingFeature = {
  routes: { typing: typingRoutes },
} satisfies Feature
