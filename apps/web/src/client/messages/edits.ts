import { signal } from '@preact/signals'

/** An edited text of a message that is not saved yet. */
export interface Edit {
  readonly text: string
  /** The text of the message when the edit began or was last saved. */
  readonly source: string
  /** The reason why the server refused it. */
  readonly reason?: string
}

const edits = signal<ReadonlyMap<number, Edit>>(new Map())

/** Returns the unsaved edit of a message. Reads a signal. */
export const editOf = (id: number): Edit | undefined => edits.value.get(id)

/** Whether an edit has changes that are not saved. Reads a signal. */
export const hasChangedEdits = (): boolean => [...edits.value.values()].some(isChanged)

const isChanged = ({ text, source }: Edit): boolean => text !== source

export function beginEdit(id: number, source: string): void {
  put(id, { text: source, source })
}

/** Changes the text of an edit, unless it has not begun. */
export function changeEdit(id: number, text: string): void {
  const edit = edits.peek().get(id)
  if (edit) put(id, { text, source: edit.source })
}

/** Records that the server has stored a text. What was typed since then is kept. */
export function noteSavedEdit(id: number, saved: string): void {
  const edit = edits.peek().get(id)
  if (edit) put(id, { text: isChanged(edit) ? edit.text : saved, source: saved })
}

/** Records why the server refused an edit. What was typed since then is kept. */
export function noteRefusedEdit(id: number, refused: Edit, reason: string): void {
  const edit = edits.peek().get(id)
  put(id, { ...(edit && isChanged(edit) ? edit : refused), reason })
}

export function dropEdit(id: number): void {
  const rest = new Map(edits.peek())
  rest.delete(id)
  edits.value = rest
}

/** Drops an edit without changes, because the message may be edited elsewhere before it is opened again. */
export function dropUnchangedEdit(id: number): void {
  const edit = edits.peek().get(id)
  if (edit && !isChanged(edit)) dropEdit(id)
}

/** Asks for confirmation when the page is closed or reloaded, if unsaved edits would be lost. */
export function startKeepingEdits(): void {
  addEventListener('beforeunload', (event) => {
    if (hasChangedEdits()) event.preventDefault()
  })
}

function put(id: number, edit: Edit): void {
  edits.value = new Map(edits.peek()).set(id, edit)
}
