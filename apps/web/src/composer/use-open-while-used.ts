import { useEffect, useRef, useState } from 'preact/hooks'

/** Properties of an element that is expanded while it is used. */
export interface OpenWhileUsed {
  isOpen: boolean
  onFocusIn(): void
  onFocusOut(): void
}

/**
 * Tracks whether an element has the focus. When a pointer takes the focus away, the element stays
 * expanded until the pointer is released: if it shrank earlier, the pressed control would move away
 * from the pointer.
 */
export function useOpenWhileUsed(): OpenWhileUsed {
  const [isOpen, setOpen] = useState(false)
  const { current } = useRef({ hasFocus: false, isPressed: false })
  const settle = () => {
    if (!current.hasFocus && !current.isPressed) setOpen(false)
  }
  useEffect(() => {
    if (!isOpen) return undefined
    const ended = new AbortController()
    const options = { capture: true, signal: ended.signal }
    addEventListener(
      'pointerdown',
      () => {
        current.isPressed = true
      },
      options,
    )
    const release = () => {
      current.isPressed = false
      // The click event is fired after the release.
      setTimeout(settle)
    }
    for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, release, options)
    return () => ended.abort()
  }, [isOpen])
  return {
    isOpen,
    onFocusIn() {
      current.hasFocus = true
      setOpen(true)
    },
    onFocusOut() {
      current.hasFocus = false
      // The focus may have moved to another part of the element.
      setTimeout(settle)
    },
  }
}
