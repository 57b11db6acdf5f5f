import { useRef } from 'preact/hooks'

/**
 * Returns handlers for a modal dialog, which call `onClose` after a click outside of its content. A press
 * in the content that is released outside, as when text is selected, also fires a click at the dialog, so
 * the press must be outside too.
 */
export function useOutsideClick(onClose: () => void) {
  const isPressed = useRef(false)
  return {
    onPointerDown({ target, currentTarget }: Event) {
      isPressed.current = target === currentTarget
    },
    onClick({ target, currentTarget }: Event) {
      if (isPressed.current && target === currentTarget) onClose()
    },
  }
}
