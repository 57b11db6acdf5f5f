import type { Feature } from '../../feature.ts'
import { externalPicturePages } from './picture-pages.ts'

/** A proxy for pictures of other hosts in messages: users load them from this server. */
export const externalPicturesFeature = {
  pages: externalPicturePages,
} satisfies Feature
