import './Keys.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/**
 * Shows keys, like `Mod+K`; Mod is ⌘ on Apple devices and Ctrl elsewhere. Hidden on devices without
 * a keyboard.
 */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="Keys" aria-hidden="true">
      {keys.split('+').map((key) => (
        <kbd key={key} class="Keys-key">
          {nameOf(key)}
        </kbd>
      ))}
    </span>
  )
}

function nameOf(key: string): string {
  if (key === 'Mod') return isApple ? '⌘' : 'Ctrl'
  return key === 'Enter' ? '⏎' : key
}
