import { t } from '../text/t.ts'
import type { KeyBinding } from './binding.ts'
import { isPossible } from './dispatch.ts'
import { listKeys } from './list-keys.ts'
import { commands } from './map.ts'
import { messageKeys } from './message-keys.ts'
import { shellKeys } from './shell-keys.ts'

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
