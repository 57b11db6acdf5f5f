import { signal } from '@preact/signals'

/** A changed text of a message that is not saved. */
export interface Edit {
  readonly text: string
  /** Why the server did not save it. */
  readonly reason?: string
}

const edits = signal<ReadonlyMap<number, Edit>>(new Map())

/** The edit of a message that was begun. Reads a signal. */
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
