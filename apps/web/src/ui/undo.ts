import { signal } from '@preact/signals'

export interface UndoLine {
  id: number
  /** Says what was done. */
  text: string
  undo: () => void
}

/** More lines would cover the view; the oldest go. */
const maxLines = 3

let count = 0

/** Actions that can be undone now, oldest first. */
export const undoLines = signal<readonly UndoLine[]>([])

/** Shows for a while what was done, with a button that takes it back. */
export function offerUndo(text: string, undo: () => void): void {
  undoLines.value = [...undoLines.value, { id: ++count, text, undo }].slice(-maxLines)
}

export function dropUndo(id: number): void {
  undoLines.value = undoLines.value.filter((line) => line.id !== id)
}
