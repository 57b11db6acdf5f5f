import './EditRow.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { fetchSource, saveEdit } from '../actions/edit.ts'
import { FormatBar } from '../composer/FormatBar.tsx'
import { focusComposer } from '../composer/focus.ts'
import type { ComposerCommand } from '../composer/keys.ts'
import { Preview } from '../composer/Preview.tsx'
import { WritingField } from '../composer/WritingField.tsx'
import { editedMessage } from '../data/editing.ts'
import { beginEdit, changeEdit, dropEdit, dropUnchangedEdit, editOf } from '../data/edits.ts'
import { targetOf } from '../data/message-target.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

/** Edits the text of a message in its row. Esc closes it and keeps a changed text. */
export function EditRow({ message }: { message: WindowMessage }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isPreviewed = useSignal(false)
  const failure = useSignal<string | undefined>(undefined)
  const { id } = message
  const edit = editOf(id)
  useEffect(() => {
    const begin = () => {
      field.current?.focus()
      field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
    }
    let isClosed = false
    if (editOf(id)) begin()
    else
      fetchSource(message).then(
        (source) => {
          if (isClosed) return
          beginEdit(id, source)
          requestAnimationFrame(begin)
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
  const close = () => {
    editedMessage.value = undefined
    focusComposer()
  }
  const save = () => void saveEdit(message)
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
      data-loading={!edit || undefined}
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
          <Button type="submit" look="primary">
            {t('edit.save')}
          </Button>
        </span>
      </div>
    </form>
  )
}
