import type { Feature } from '../feature.ts'
import { firstAccountPages } from './pages.ts'

/** A page on which a person with a link of the operator creates the first account of an organization. */
export const firstAccountFeature = {
  pages: firstAccountPages,
} satisfies Feature
