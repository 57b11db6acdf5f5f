import { t } from '../text/t.ts'
import type { KeyBinding } from './binding.ts'

/**
 * Keys that work everywhere, also in fields. They are handled by `dispatch.ts`, `shell/regions.ts` and
 * `shell/panes.ts`.
 */
export const shellKeys: readonly KeyBinding[] = [
  { id: 'jump', keys: ['Mod+k'], text: () => t('jump.open') },
  { id: 'next-region', keys: ['Mod+F6'], text: () => t('keys.next_region') },
  { id: 'previous-region', keys: ['Mod+Shift+F6'], text: () => t('keys.previous_region') },
  { id: 'leave', keys: ['Escape'], text: () => t('keys.leave') },
]
