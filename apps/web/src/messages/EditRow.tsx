import './EditRow.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { targetOf } from '../client/conversations/target.ts'
import { editedMessage } from '../client/messages/editing.ts'
import { beginEdit, changeEdit, dropEdit, dropUnchangedEdit, editOf } from '../client/messages/edits.ts'
import { fetchSource } from '../client/messages/source.ts'
import { findSentText } from '../client/writing/sent-messages.ts'
import { FormatBar } from '../composer/FormatBar.tsx'
import { focusComposer, focusMessages } from '../composer/focus.ts'
import type { ComposerCommand } from '../composer/keys.ts'
import { Preview } from '../composer/Preview.tsx'
import { WritingField } from '../composer/WritingField.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { saveEdit } from './save-edit.ts'

/** Edits the text of a message in its row. Esc closes it and keeps a changed text. */
export function EditRow({ message }: { message: WindowMessage }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const opener = useRef<Element | null>(null)
  const isPreviewed = useSignal(false)
  const failure = useSignal<string | undefined>(undefined)
  const { id } = message
  const edit = editOf(id)
  useLayoutEffect(() => {
    const known = editOf(id) ? undefined : findSentText(message)
    if (known !== undefined) beginEdit(id, known)
    opener.current = document.activeElement
    field.current?.focus()
    let isClosed = false
    if (!editOf(id))
      fetchSource(message).then(
        (source) => {
          if (!isClosed) beginEdit(id, source)
        },
        (error: unknown) => {
          failure.value = readRefusal(error).reason
        },
      )
    return () => {
      isClosed = true
      dropUnchangedEdit(id)
    }
  }, [id])
  // A text that was there before the focus has the caret at its start.
  useLayoutEffect(() => {
    const { current } = field
    if (edit && current) current.setSelectionRange(current.value.length, current.value.length)
  }, [id, !edit])
  /** Returns the focus to the row if its keys opened the editor, otherwise to the composer. */
  const leave = () => {
    if (opener.current?.matches('.Row-message')) (opener.current as HTMLElement).focus()
    else if (!focusComposer()) focusMessages()
  }
  const close = () => {
    editedMessage.value = undefined
    leave()
  }
  const save = () => {
    if (!edit) return
    void saveEdit(message)
    leave()
  }
  const doCommand = (command: ComposerCommand) => {
    if (command === 'send') save()
    else if (command === 'leave') close()
    else if (command === 'preview') isPreviewed.value = !isPreviewed.value
  }
  const reason = edit?.reason ?? failure.value
  return (
    <form
      class="EditRow"
      aria-label={t('edit.label')}
      aria-busy={!edit && !reason}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <WritingField
        value={edit?.text ?? ''}
        label={t('edit.label')}
        target={targetOf(message)}
        field={field}
        isReadOnly={!edit}
        placeholder={edit || reason ? '' : t('edit.loading')}
        describedBy={reason ? `edit-reason-${id}` : undefined}
        onInput={(text) => changeEdit(id, text)}
        onCommand={doCommand}
      />
      {isPreviewed.value && <Preview text={edit?.text ?? ''} />}
      {reason && (
        <p class="EditRow-reason" id={`edit-reason-${id}`} role="alert">
          {reason}
        </p>
      )}
      <div class="EditRow-bar">
        <FormatBar field={field} />
        <span class="EditRow-actions">
          <Button
            onClick={() => {
              dropEdit(id)
              close()
            }}
          >
            {t('edit.cancel')}
          </Button>
          <Button type="submit" look="primary" disabled={!edit}>
            {t('edit.save')}
          </Button>
        </span>
      </div>
    </form>
  )
}
