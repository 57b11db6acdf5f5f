import { signal } from '@preact/signals'

export interface UndoLine {
  id: number
  /** Describes the action that was done. */
  text: string
  undo: () => void
}

/** Maximum number of lines; more would cover the view. The oldest are removed. */
const maxLines = 3

let count = 0

/** Actions that can be undone, oldest first. */
export const undoLines = signal<readonly UndoLine[]>([])

/** Shows for a while that an action was done, with an undo button. */
export function offerUndo(text: string, undo: () => void): void {
  undoLines.value = [...undoLines.value, { id: ++count, text, undo }].slice(-maxLines)
}

export function dropUndo(id: number): void {
  undoLines.value = undoLines.value.filter((line) => line.id !== id)
}
