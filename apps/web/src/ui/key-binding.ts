/** Keys and their effect, as the help lists them. */
export interface KeyBinding {
  readonly id: string
  /**
   * Alternative keys, named as by `nameKey`. A space separates two keys that are pressed one after
   * the other.
   */
  readonly keys: readonly string[]
  text(): string
}

/** The parts of a keyboard event that name its key. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Signs whose shifted character depends on the keyboard layout, by key code. */
const signs: Readonly<Record<string, string>> = { Period: '.', Backslash: '\\' }

/**
 * Names a key as the table of keys does: `n`, `N`, `Shift+End`, `Mod+Shift+.`. Mod is Ctrl or ⌘.
 * Without Mod, Shift is named only if it does not change the character.
 */
export function nameKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string {
  const hasMod = ctrlKey || metaKey
  const shift = shiftKey && (hasMod || key.length > 1) ? 'Shift+' : ''
  const name = hasMod ? (signs[code] ?? (key.length === 1 ? key.toLowerCase() : key)) : key
  return `${hasMod ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift}${name === ' ' ? 'Space' : name}`
}

/** Returns whether a key is a single letter or sign. The user can disable such shortcuts. */
export const isSingleKey = (name: string): boolean => name.length === 1
