import { listKeys } from '../messages/list-keys.ts'
import { t } from '../text/t.ts'
import type { KeyBinding } from '../ui/key-binding.ts'
import { isPossible } from './dispatch.ts'
import { commands } from './map.ts'
import { messageKeys } from './message-keys.ts'

/**
 * Keys that work everywhere, also in fields. They are handled by `dispatch.ts`, `shell/regions.ts` and
 * `frame/panes.ts`.
 */
const shellKeys: readonly KeyBinding[] = [
  { id: 'jump', keys: ['Mod+k'], text: () => t('jump.open') },
  { id: 'next-region', keys: ['Mod+F6'], text: () => t('keys.next_region') },
  { id: 'previous-region', keys: ['Mod+Shift+F6'], text: () => t('keys.previous_region') },
  { id: 'leave', keys: ['Escape'], text: () => t('keys.leave') },
]

export interface KeyGroup {
  readonly title: string
  readonly bindings: readonly KeyBinding[]
}

/**
 * Lists all keys of the client, grouped by where they work, without keys that open views which do
 * not exist.
 */
export const listKeyGroups = (): KeyGroup[] => [
  { title: t('keys.everywhere'), bindings: shellKeys },
  {
    title: t('keys.outside_fields'),
    bindings: commands.flatMap((command) => {
      const { id, key, shownKeys, text, isOffered, ...rest } = command
      const keys = key ?? shownKeys
      // Commands that are not available at the moment are also listed.
      return keys !== undefined && isPossible({ id, text, ...rest }) ? [{ id, keys: [keys], text }] : []
    }),
  },
  { title: t('keys.in_lists'), bindings: listKeys },
  { title: t('keys.for_message'), bindings: messageKeys },
]
