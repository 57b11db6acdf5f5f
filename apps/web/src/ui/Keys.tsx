import './Keys.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/**
 * Shows keys, like `Mod+K`; Mod is ⌘ on Apple's devices and Ctrl elsewhere. Devices without a
 * keyboard do not show it.
 */
export function Keys({ keys, isSpoken = false }: { keys: string; isSpoken?: boolean }) {
  return (
    <span class="Keys" aria-hidden={isSpoken ? undefined : 'true'}>
      {splitKeys(keys).map((key) => (
        <kbd key={key} class="Keys-key">
          {nameOf(key)}
        </kbd>
      ))}
    </span>
  )
}

/** Splits `Mod+K` and `g d` into keys. A single character is one key, even `+`. */
const splitKeys = (keys: string): string[] => (keys.length === 1 ? [keys] : keys.split(/[+ ]/))

const signs: Readonly<Record<string, string>> = {
  Enter: '⏎',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
}

function nameOf(key: string): string {
  if (key === 'Mod') return isApple ? '⌘' : 'Ctrl'
  return signs[key] ?? key
}
