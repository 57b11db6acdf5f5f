import type { Feature } from '../../feature.ts'
import { homePages } from './home-pages.ts'

/** The front page, and the start page of a signed-in person. */
export const homeFeature = {
  pages: homePages,
} satisfies Feature
