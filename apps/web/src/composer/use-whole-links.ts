import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { applyEdit } from './apply-edit.ts'
import { findDeletedLink, keepCaret, leaveLinks, mendLinks } from './whole-links.ts'

/**
 * Keeps links to uploads in a field whole: the caret is never inside them, and they are deleted as a whole.
 * Returns a function that handles an `input` event; it returns whether it has changed the text again.
 */
export function useWholeLinks(
  field: RefObject<HTMLTextAreaElement | null>,
  value: string,
): (event: InputEvent) => boolean {
  const { current: state } = useRef({ text: value, start: 0, end: 0, isMovedByKey: false })
  // The browser moves the caret to the end when another text is shown, which may happen while someone types.
  const shown = field.current
  const hasFocus = shown !== null && document.activeElement === shown
  const caret = hasFocus && shown.value !== value ? shown.selectionEnd : undefined
  useLayoutEffect(() => {
    const kept = caret === undefined ? undefined : keepCaret(state.text, value, caret)
    if (kept !== undefined) field.current?.setSelectionRange(kept, kept)
    state.text = value
  }, [value])
  useEffect(() => {
    const { current } = field
    if (!current) return
    const ended = new AbortController()
    const options = { signal: ended.signal }
    const leave = () => {
      const { value: text, selectionStart: start, selectionEnd: end, selectionDirection } = current
      const isMoved = start !== state.start || end !== state.end
      if (document.activeElement !== current || !isMoved) return
      const left = leaveLinks(text, { start, end }, state.isMovedByKey ? state : undefined)
      Object.assign(state, left, { isMovedByKey: false })
      if (left.start !== start || left.end !== end)
        current.setSelectionRange(left.start, left.end, selectionDirection)
    }
    document.addEventListener('selectionchange', leave, options)
    current.addEventListener('focus', leave, options)
    // The browser reports a movement of the caret only after further keys may have been pressed.
    current.addEventListener(
      'keydown',
      () => {
        leave()
        state.isMovedByKey = true
      },
      options,
    )
    current.addEventListener('pointerdown', () => (state.isMovedByKey = false), options)
    current.addEventListener(
      'beforeinput',
      (event) => {
        leave()
        selectDeletedLink(event)
      },
      options,
    )
    return () => ended.abort()
  }, [])
  return ({ currentTarget, inputType }) => {
    const before = state.text
    const current = currentTarget as HTMLTextAreaElement
    const { value: after } = current
    state.text = after
    const edit = inputType.startsWith('history') ? undefined : mendLinks(before, after, current.selectionEnd)
    if (edit) applyEdit(current, edit)
    return current.value !== after
  }
}

/** Selects the link that a key is about to damage, so that the browser deletes the whole link in one step. */
function selectDeletedLink({ inputType, currentTarget }: InputEvent): void {
  const { value, selectionStart, selectionEnd } = currentTarget as HTMLTextAreaElement
  if (!inputType.startsWith('delete') || selectionStart !== selectionEnd) return
  const link = findDeletedLink(value, selectionEnd, inputType.endsWith('Forward'))
  if (link) (currentTarget as HTMLTextAreaElement).setSelectionRange(link.start, link.end)
}
