/** Keys with what they do, as the help lists them. */
export interface KeyBinding {
  readonly id: string
  /** Alternatives, as `nameKey` writes them; two keys one after the other are separated by a space. */
  readonly keys: readonly string[]
  text(): string
}

/** The parts of a keyboard event that name its key. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Signs that Shift changes in a way that depends on the layout of the keyboard. */
const signs: Readonly<Record<string, string>> = { Period: '.', Backslash: '\\' }

/**
 * Names a key as the table of keys does: `n`, `N`, `Shift+End`, `Mod+Shift+.`. Mod is Ctrl or ⌘. Letters
 * and signs without Mod include Shift by themselves.
 */
export function nameKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string {
  const hasMod = ctrlKey || metaKey
  const shift = shiftKey && (hasMod || key.length > 1) ? 'Shift+' : ''
  const name = hasMod ? (signs[code] ?? (key.length === 1 ? key.toLowerCase() : key)) : key
  return `${hasMod ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift}${name === ' ' ? 'Space' : name}`
}

/** Whether a key is a letter or a sign alone, which can be switched off. */
export const isSingleKey = (name: string): boolean => name.length === 1
