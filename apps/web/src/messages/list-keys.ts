import { t } from '../text/t.ts'
import type { KeyBinding } from '../ui/key-binding.ts'

/** A movement of the focus: by one message, by a screen, or to an end of the list. */
export type Move = 'up' | 'down' | 'page up' | 'page down' | 'start' | 'end'

/** Keys that move the focus in a list of messages. */
export const listKeys: readonly (KeyBinding & { readonly move: Move })[] = [
  { id: 'message-above', keys: ['k', 'ArrowUp'], move: 'up', text: () => t('keys.message_above') },
  { id: 'message-below', keys: ['j', 'ArrowDown'], move: 'down', text: () => t('keys.message_below') },
  { id: 'page-up', keys: ['K', 'PageUp'], move: 'page up', text: () => t('keys.page_up') },
  { id: 'page-down', keys: ['J', 'PageDown', 'Space'], move: 'page down', text: () => t('keys.page_down') },
  { id: 'oldest', keys: ['Home'], move: 'start', text: () => t('keys.oldest') },
  { id: 'newest', keys: ['End', 'G'], move: 'end', text: () => t('keys.newest') },
]
