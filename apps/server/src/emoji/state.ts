import type { StateSlice } from '../events/state-slice.ts'
import { listCustomEmoji } from './queries.ts'
import { viewCustomEmoji } from './views.ts'

export const customEmojiState: StateSlice = {
  types: ['realm_emoji'],
  read: async ({ actor, db }) => ({
    realm_emoji: viewCustomEmoji(await listCustomEmoji(db, actor.organization_id)),
  }),
}
