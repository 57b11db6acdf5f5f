import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { deactivateEmoji } from './deactivate-emoji.ts'
import { listEmoji } from './list-emoji.ts'
import { uploadEmoji } from './upload-emoji.ts'

export const emojiRoutes: Routes<typeof api.emoji> = {
  list: listEmoji,
  upload: uploadEmoji,
  deactivate: deactivateEmoji,
}
