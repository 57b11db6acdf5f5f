import type { Feature } from '../feature.ts'
import { firstAccountPages } from './pages.ts'

/** Creating the first account of an organization in a browser, by a link of the operator. */
export const firstAccountFeature = {
  pages: firstAccountPages,
} satisfies Feature
