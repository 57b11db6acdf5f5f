import type { Feature } from '../feature.ts'
import { emojiPages } from './pictures.ts'
import { emojiFileReferences } from './queries.ts'
import { emojiRoutes } from './routes.ts'
import { customEmojiState } from './state.ts'

/** Custom emoji. */
export const emojiFeature = {
  routes: { emoji: emojiRoutes },
  pages: emojiPages,
  state: [customEmojiState],
  files: { required: [emojiFileReferences] },
  fileFolders: ['emoji'],
} satisfies Feature
