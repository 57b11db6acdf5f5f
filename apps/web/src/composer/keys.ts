/** A command that a key in the composer triggers. */
export type ComposerCommand =
  | 'send'
  | 'line'
  | 'leave'
  | 'edit last'
  | 'preview'
  | 'bold'
  | 'italic'
  | 'link'
  | 'code'
  | 'numbers'
  | 'bullets'
  | 'quote'

export interface PressedKey {
  readonly key: string
  /** The physical key, for characters whose key depends on the layout. */
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  /** Whether an input method is composing text; keys are then left to it. */
  readonly isComposing: boolean
}

const withControl: Readonly<Record<string, ComposerCommand>> = { KeyB: 'bold', KeyI: 'italic' }
const withControlShift: Readonly<Record<string, ComposerCommand>> = {
  KeyL: 'link',
  KeyC: 'code',
  Digit7: 'numbers',
  Digit8: 'bullets',
  Period: 'quote',
}

/** Returns the command of a key, or undefined to leave the key to the browser. */
export function findCommand(
  pressed: PressedKey,
  { entersSend, isEmpty }: { entersSend: boolean; isEmpty: boolean },
): ComposerCommand | undefined {
  const { key, code, shiftKey, altKey, isComposing } = pressed
  if (isComposing) return undefined
  const control = pressed.ctrlKey || pressed.metaKey
  if (key === 'Enter') return findEnter(control, shiftKey, altKey, entersSend)
  if (key === 'Escape') return 'leave'
  if (altKey) return code === 'KeyP' && !control ? 'preview' : undefined
  if (key === 'ArrowUp' && isEmpty && !control && !shiftKey) return 'edit last'
  if (!control) return undefined
  return (shiftKey ? withControlShift : withControl)[code]
}

function findEnter(
  control: boolean,
  shiftKey: boolean,
  altKey: boolean,
  entersSend: boolean,
): ComposerCommand | undefined {
  if (altKey) return undefined
  const sends = entersSend ? !control && !shiftKey : control
  return sends ? 'send' : 'line'
}
