import { signal } from '@preact/signals'

/** An edited text of a message that is not saved yet. */
export interface Edit {
  readonly text: string
  /** The reason why the server refused it. */
  readonly reason?: string
}

const edits = signal<ReadonlyMap<number, Edit>>(new Map())

/** Returns the unsaved edit of a message. Reads a signal. */
export const editOf = (id: number): Edit | undefined => edits.value.get(id)

export function changeEdit(id: number, text: string): void {
  edits.value = new Map(edits.peek()).set(id, { text })
}

export function noteRefusedEdit(id: number, reason: string): void {
  const text = edits.peek().get(id)?.text ?? ''
  edits.value = new Map(edits.peek()).set(id, { text, reason })
}

export function dropEdit(id: number): void {
  const rest = new Map(edits.peek())
  rest.delete(id)
  edits.value = rest
}
