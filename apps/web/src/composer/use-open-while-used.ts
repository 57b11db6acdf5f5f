import { useEffect, useRef, useState } from 'preact/hooks'

/** Properties of an element that is larger while it is used. */
export interface OpenWhileUsed {
  isOpen: boolean
  onFocusIn(): void
  onFocusOut(): void
}

/**
 * Says whether an element has the focus. It counts as focused until a pointer that took the focus away is released:
 * if the element shrank before, what one presses would move away from the pointer.
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
      // The click comes after it.
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
      // The focus may only go to another part of it.
      setTimeout(settle)
    },
  }
}
