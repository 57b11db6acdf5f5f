import './InvitePeople.css'
import type { StreamFolder, StreamFolderId } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { isAdministrator, streamFolders } from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { SettingList } from '../frame/SettingList.tsx'
import { missingField, useForm } from '../frame/use-form.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'

const [maxNameLength, maxDescriptionLength] = [100, 1_024]

/** The page on which administrators keep the folders of streams that everyone sees. */
export function StreamFolders() {
  return (
    <ViewFrame title={t('organization.folders')}>
      {isAdministrator.value ? (
        <div class="InvitePeople">
          <FolderList />
          <Group title={t('organization.folder_new')}>
            <FolderForm
              action={t('organization.folder_create')}
              onSave={async ({ name, description }, form) => {
                await client.streamFolders.create({ name, description })
                form.reset()
              }}
            />
          </Group>
          <ArchivedFolders />
        </div>
      ) : (
        <Empty icon="building-2" title={t('organization.refused')} />
      )}
    </ViewFrame>
  )
}

const listFolders = (isArchived: boolean): StreamFolder[] =>
  (streamFolders.value ?? []).filter(({ is_archived }) => is_archived === isArchived)

function FolderList() {
  const edited = useSignal<StreamFolderId | undefined>(undefined)
  const folders = listFolders(false)
  return (
    <Group title={t('organization.folders')} hint={t('organization.folders_hint')}>
      {folders.length === 0 && <p class="SettingList-empty">{t('organization.folders_none')}</p>}
      <SettingList>
        {folders.map((folder, index) =>
          edited.value === folder.id ? (
            <li key={folder.id} class="SettingList-row SettingList-tall">
              <FolderForm
                before={folder}
                action={t('edit.save')}
                onSave={async (fields) => {
                  await client.streamFolders.update({ channel_folder_id: folder.id, ...fields })
                  edited.value = undefined
                }}
                onCancel={() => {
                  edited.value = undefined
                }}
              />
            </li>
          ) : (
            <FolderRow
              key={folder.id}
              folder={folder}
              before={folders[index - 1]}
              after={folders[index + 1]}
              onEdit={() => {
                edited.value = folder.id
              }}
            />
          ),
        )}
      </SettingList>
    </Group>
  )
}

interface FolderRowProps {
  folder: StreamFolder
  before: StreamFolder | undefined
  after: StreamFolder | undefined
  onEdit: () => void
}

function FolderRow({ folder, before, after, onEdit }: FolderRowProps) {
  const { id, name, description } = folder
  return (
    <li class="SettingList-row">
      <span class="SettingList-name">
        <bdi>{name}</bdi>
        {description !== '' && <span class="SettingList-facts"> {description}</span>}
      </span>
      <IconButton
        icon="arrow-up"
        label={t('organization.folder_up', { name })}
        disabled={!before}
        onClick={() => before && void swap(folder, before)}
      />
      <IconButton
        icon="arrow-down"
        label={t('organization.folder_down', { name })}
        disabled={!after}
        onClick={() => after && void swap(folder, after)}
      />
      <IconButton icon="pencil" label={t('organization.folder_edit', { name })} onClick={onEdit} />
      <IconButton
        icon="archive"
        label={t('organization.folder_archive', { name })}
        onClick={() => void setArchived(id, true)}
      />
    </li>
  )
}

/** Swaps two folders in the order of all folders, archived ones included. */
function swap(one: StreamFolder, other: StreamFolder): Promise<boolean> {
  const swapped = new Map([
    [one.id, other.id],
    [other.id, one.id],
  ])
  const order = (streamFolders.peek() ?? []).map(({ id }) => swapped.get(id) ?? id)
  return awaitOrShowRefusal(client.streamFolders.reorder({ order }))
}

const setArchived = (channel_folder_id: StreamFolderId, is_archived: boolean): Promise<boolean> =>
  awaitOrShowRefusal(client.streamFolders.update({ channel_folder_id, is_archived }))

interface FolderFormProps {
  before?: StreamFolder
  action: string
  /** Throws the server's refusal, which the form shows. */
  onSave: (fields: { name: string; description: string }, form: HTMLFormElement) => Promise<void>
  onCancel?: () => void
}

function FolderForm({ before, action, onSave, onCancel }: FolderFormProps) {
  const form = useForm<'name' | 'description'>({
    async submit({ name, description }, element) {
      if (name.trim() === '') throw missingField('NAME_MISSING')
      await onSave({ name: name.trim(), description: description.trim() }, element)
      return undefined
    },
    findProblems: ({ name, reason }) => ({
      name: name === 'NAME_MISSING' ? t('organization.folder_name_missing') : reason,
    }),
  })
  return (
    <form class="Group" {...form.attributes}>
      <Field label={t('streams.folder_name')} problem={form.problems.name}>
        <input
          type="text"
          name="name"
          autocomplete="off"
          dir="auto"
          maxLength={maxNameLength}
          defaultValue={before?.name}
        />
      </Field>
      <Field label={t('streams.description')} isOptional>
        <input
          type="text"
          name="description"
          autocomplete="off"
          dir="auto"
          maxLength={maxDescriptionLength}
          defaultValue={before?.description}
        />
      </Field>
      <FormEnd form={form} action={action} />
      {onCancel && <Button onClick={onCancel}>{t('ui.cancel')}</Button>}
    </form>
  )
}

function ArchivedFolders() {
  const folders = listFolders(true)
  if (folders.length === 0) return null
  return (
    <Group title={t('organization.folders_archived')}>
      <SettingList>
        {folders.map(({ id, name }) => (
          <li key={id} class="SettingList-row">
            <bdi class="SettingList-name">{name}</bdi>
            <Button icon="rotate-ccw" onClick={() => void setArchived(id, false)}>
              {t('organization.folder_restore', { name })}
            </Button>
          </li>
        ))}
      </SettingList>
    </Group>
  )
}
