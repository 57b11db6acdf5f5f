import './WritingField.css'
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import type { Target } from '../client/conversations/target.ts'
import { entersSend } from '../client/store.ts'
import { loadRenderer } from '../client/writing/render.ts'
import { t } from '../text/t.ts'
import { applyEdit, readSelected } from './apply-edit.ts'
import { editForCommand } from './commands.ts'
import { continueList, makeLink } from './insert.ts'
import { type ComposerCommand, findCommand } from './keys.ts'
import { listPastedFiles, readUrl } from './paste.ts'
import { type Suggestion, suggest } from './suggest.ts'
import { Typeahead } from './Typeahead.tsx'
import { findTrigger } from './triggers.ts'
import { useTypeahead } from './use-typeahead.ts'
import { useWholeLinks } from './use-whole-links.ts'

export interface WritingFieldProps {
  value: string
  label: string
  placeholder?: string
  /** Suggestions are ranked for this target. */
  target: Target
  field: RefObject<HTMLTextAreaElement | null>
  describedBy?: string | undefined
  isReadOnly?: boolean
  onInput: (text: string) => void
  /** Runs a command that is not about formatting. */
  onCommand: (command: ComposerCommand) => void
  onFiles?: (files: readonly File[]) => void
}

/** A field for Markdown: it grows with its text, has keys for formatting, and suggests names. */
export function WritingField(properties: WritingFieldProps) {
  const { value, label, placeholder, target, field, describedBy, isReadOnly } = properties
  const { onInput, onCommand, onFiles } = properties
  // The caret after the last key press; undefined once the caret was moved.
  const typedAt = useSignal<number | undefined>(undefined)
  const trigger = typedAt.value === undefined ? undefined : findTrigger(value, typedAt.value)
  const suggestions = trigger ? suggest(trigger, target) : []
  const choose = ({ insert }: Suggestion) => {
    const { current } = field
    if (!current || !trigger) return
    const end = trigger.from + insert.length
    applyEdit(current, { from: trigger.from, to: current.selectionEnd, insert, start: end, end })
  }
  const typeahead = useTypeahead(suggestions, choose)
  const mendLinks = useWholeLinks(field, value)
  const press = (event: KeyboardEvent) => {
    const { current } = field
    if (!current || typeahead.press(event)) return
    const isEmpty = current.value === ''
    const command = findCommand(event, { entersSend: entersSend.value ?? false, isEmpty })
    if (command === undefined || (command === 'line' && !insertLine(current, event))) return
    event.preventDefault()
    const edit = editForCommand(command, readSelected(current))
    if (edit) applyEdit(current, edit)
    else if (command !== 'line') onCommand(command)
  }
  const paste = (event: ClipboardEvent) => {
    const { current } = field
    const files = listPastedFiles(event.clipboardData)
    const url = readUrl(event.clipboardData)
    if (files.length > 0 && onFiles) onFiles(files)
    else if (current && url && current.selectionStart !== current.selectionEnd)
      applyEdit(current, makeLink(readSelected(current), url))
    else return
    event.preventDefault()
  }
  return (
    <div class="WritingField">
      {typeahead.isOpen && (
        <Typeahead
          id={typeahead.id}
          label={t('typeahead.label')}
          suggestions={suggestions}
          active={typeahead.active}
          onChoose={choose}
        />
      )}
      <textarea
        ref={field}
        class="WritingField-text"
        rows={1}
        value={value}
        placeholder={placeholder}
        aria-label={label}
        aria-describedby={describedBy}
        readOnly={isReadOnly}
        dir="auto"
        {...typeahead.attributes}
        onFocus={() => void loadRenderer()}
        onBlur={() => {
          typedAt.value = undefined
        }}
        onInput={(event) => {
          // If links were mended, the changed text has caused another event.
          if (mendLinks(event)) return
          const { currentTarget } = event
          typedAt.value = currentTarget.selectionEnd
          typeahead.reset()
          onInput(currentTarget.value)
        }}
        onSelect={({ currentTarget }) => {
          if (currentTarget.selectionEnd !== typedAt.value) typedAt.value = undefined
        }}
        onKeyDown={press}
        onPaste={paste}
      />
    </div>
  )
}

/**
 * Handles a line break: continues a list, or inserts a line break for Ctrl Enter. Returns false if the
 * browser should insert the line break.
 */
function insertLine(field: HTMLTextAreaElement, { ctrlKey, metaKey }: KeyboardEvent): boolean {
  const selected = readSelected(field)
  const { start, end } = selected
  const edit = continueList(selected)
  if (!edit && !ctrlKey && !metaKey) return false
  applyEdit(field, edit ?? { from: start, to: end, insert: '\n', start: start + 1, end: start + 1 })
  return true
}
