import type { CustomEmojiEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

/** The event has all of them. */
export function applyCustomEmoji(state: State, { realm_emoji }: CustomEmojiEvent): State {
  return withFetched(state, { realm_emoji })
}
