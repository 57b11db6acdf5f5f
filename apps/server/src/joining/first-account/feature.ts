import type { Feature } from '../../feature.ts'
import { firstAccountPages } from './pages.ts'

/** A page that creates the first account of an organization. Its link comes from the operator. */
export const firstAccountFeature = {
  pages: firstAccountPages,
} satisfies Feature
