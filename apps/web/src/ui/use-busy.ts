import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** After this time without input, the user is no longer considered busy. */
const maxPauseMs = 4_000
const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin'] as const

/**
 * Returns whether the user is busy in an element: the pointer is over it or the focus is in it, and
 * the last input is at most `maxPauseMs` ago. While true, nothing in the element should move.
 */
export function useBusy(box: RefObject<HTMLElement | null>): Signal<boolean> {
  const isBusy = useSignal(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const ended = new AbortController()
    const options = { signal: ended.signal, passive: true }
    let timer: ReturnType<typeof setTimeout>
    const stop = () => {
      clearTimeout(timer)
      isBusy.value = false
    }
    const start = () => {
      clearTimeout(timer)
      timer = setTimeout(stop, maxPauseMs)
      isBusy.value = true
    }
    for (const name of inputs) element.addEventListener(name, start, options)
    element.addEventListener(
      'pointerleave',
      () => {
        if (!element.contains(document.activeElement)) stop()
      },
      options,
    )
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (!element.contains(relatedTarget as Node | null) && !element.matches(':hover')) stop()
      },
      options,
    )
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [])
  return isBusy
}
