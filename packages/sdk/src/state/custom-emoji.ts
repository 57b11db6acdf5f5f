import type { CustomEmojiEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

/** Replaces all custom emoji by those in the event. */
export function applyCustomEmoji(state: State, { realm_emoji }: CustomEmojiEvent): State {
  return withFetched(state, { realm_emoji })
}
