import type { Feature } from '../feature.ts'
import { referencePages } from './pages.ts'

/** /api/docs, /api/openapi.json, /api/markdown and /integrations. */
export const referenceFeature = {
  pages: referencePages,
} satisfies Feature
