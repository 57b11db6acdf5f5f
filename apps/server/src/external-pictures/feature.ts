import type { Feature } from '../feature.ts'
import { externalPicturePages } from './picture-pages.ts'

/** Pictures of other hosts in messages, which readers get through this server. */
export const externalPicturesFeature = {
  pages: externalPicturePages,
} satisfies Feature
