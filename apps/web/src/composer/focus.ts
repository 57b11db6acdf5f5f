/** Focuses the last focused message, or else the list. */
export function focusMessages(): void {
  const row = document.querySelector<HTMLElement>('.MessageList [tabindex="0"]')
  ;(row ?? document.getElementById('main'))?.focus()
}

/** Focuses the visible composer, with the caret at the end. Returns false if the view has none. */
export function focusComposer(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>('.Composer .WritingField-text')
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
  return field !== null
}
