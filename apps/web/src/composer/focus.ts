/** Focuses the message that had the focus last, else the list. */
export function focusMessages(): void {
  const row = document.querySelector<HTMLElement>('.MessageList [tabindex="0"]')
  ;(row ?? document.getElementById('main'))?.focus()
}

/** Focuses the field of the composer that is shown, with the caret at the end. */
export function focusComposer(): void {
  const field = document.querySelector<HTMLTextAreaElement>('.Composer .WritingField-text')
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
