import type { StreamId } from '@oxbow/contract'
import { foldName } from '@oxbow/contract/plain'
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { closeDialog, closeDialogOf, openDialog } from '../client/open-dialogs.ts'
import { findSection } from '../client/streams/sections.ts'
import { streamName } from '../client/streams/streams.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { createOwnFolder, getArrangement, listOwnFolders, putIntoFolder, renameOwnFolder } from './arrange.ts'

/** The longest name of an own folder, in characters. */
const maxNameLength = 60

/** Values of the choice of a folder that are no names: names are preceded by `own `. */
const [noFolder, newFolder] = ['none', 'new']

/** The dialog for own folders: chooses the folder of a stream, creates a folder, or renames one. */
export function FolderDialog() {
  const open = openDialog.value
  if (open?.kind !== 'folder') return null
  return open.stream_id === undefined ? (
    <NameDialog before={open.name} />
  ) : (
    <StreamFolderDialog stream_id={open.stream_id} />
  )
}

function NameDialog({ before }: { before?: string | undefined }) {
  const name = useSignal(before ?? '')
  const save = async () => {
    const chosen = name.value.trim()
    if (before === undefined) await createOwnFolder(chosen)
    else if (chosen !== before) await renameOwnFolder(before, chosen)
  }
  return (
    <FormDialog
      title={before === undefined ? t('streams.folder_new') : t('streams.folder_rename')}
      button={before === undefined ? t('streams.folder_create') : t('edit.save')}
      findProblem={() => findNameProblem(name.value, before)}
      onSave={save}
    >
      {(problem) => <NameField name={name} problem={problem} />}
    </FormDialog>
  )
}

function StreamFolderDialog({ stream_id }: { stream_id: StreamId }) {
  const folders = listOwnFolders()
  const section = findSection(getArrangement().shown, stream_id)
  const present = section?.kind === 'own' ? `own ${section.name}` : noFolder
  const chosen = useSignal<string>(folders.length === 0 ? newFolder : present)
  const name = useSignal('')
  const save = async () => {
    if (chosen.value === newFolder) await putIntoFolder(stream_id, name.value.trim())
    else if (chosen.value !== present)
      await putIntoFolder(
        stream_id,
        chosen.value === noFolder ? undefined : chosen.value.slice('own '.length),
      )
  }
  return (
    <FormDialog
      title={t('streams.folder_choose', { stream: streamName(stream_id) })}
      button={t('streams.folder_move')}
      findProblem={() => (chosen.value === newFolder ? findNameProblem(name.value) : undefined)}
      onSave={save}
    >
      {(problem) => (
        <>
          <p>{t('streams.folder_hint')}</p>
          <Choices
            label={t('streams.folder')}
            choices={[
              { value: noFolder, text: t('streams.folder_none') },
              ...folders.map((folder) => ({ value: `own ${folder}`, text: folder })),
              { value: newFolder, text: t('streams.folder_new') },
            ]}
            value={chosen.value}
            onChange={(value) => {
              chosen.value = value
            }}
          />
          {chosen.value === newFolder && <NameField name={name} problem={problem} />}
        </>
      )}
    </FormDialog>
  )
}

function NameField({ name, problem }: { name: Signal<string>; problem: string | undefined }) {
  return (
    <Field label={t('streams.folder_name')} problem={problem}>
      <input
        type="text"
        autocomplete="off"
        autofocus
        dir="auto"
        maxLength={maxNameLength}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value
        }}
      />
    </Field>
  )
}

function findNameProblem(typed: string, before?: string): string | undefined {
  const name = typed.trim()
  if (name === '') return t('streams.folder_name_missing')
  const isTaken = listOwnFolders().some((folder) => folder !== before && foldName(folder) === foldName(name))
  return isTaken ? t('streams.folder_name_taken') : undefined
}

interface FormDialogProps {
  title: string
  button: string
  /** Returns what is wrong with the name. */
  findProblem: () => string | undefined
  /** Throws the server's refusal, which the dialog shows. */
  onSave: () => Promise<unknown>
  children: (problem: string | undefined) => ComponentChildren
}

function FormDialog({ title, button, findProblem, onSave, children }: FormDialogProps) {
  const problem = useSignal<string | undefined>(undefined)
  const refusal = useSignal<string | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const save = async () => {
    problem.value = findProblem()
    refusal.value = undefined
    if (problem.value !== undefined) return
    try {
      await onSave()
      closeDialogOf('folder')
    } catch (error) {
      refusal.value = readRefusal(error).reason
    }
  }
  return (
    <Dialog
      title={title}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{t('ui.cancel')}</Button>
          <Button look="primary" onClick={() => form.current?.requestSubmit()}>
            {button}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        class="Group"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {children(problem.value)}
        {refusal.value && (
          <p class="Field-problem" role="alert">
            {refusal.value}
          </p>
        )}
      </form>
    </Dialog>
  )
}
