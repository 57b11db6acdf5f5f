import type { Selected, TextEdit } from './insert.ts'

export const readSelected = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
})

/** Applies an edit as if it had been typed, so that undo works and `input` is fired. */
export function applyEdit(field: HTMLTextAreaElement, { from, to, insert, start, end }: TextEdit): void {
  field.focus()
  field.setSelectionRange(from, to)
  if (insert !== '') document.execCommand('insertText', false, insert)
  else if (from !== to) document.execCommand('delete')
  field.setSelectionRange(start, end)
}
