import type { StreamFolderId } from '@oxbow/contract'
import { maxStreamDescriptionLength } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { showDialog } from '../client/open-dialogs.ts'
import { askPermission } from '../client/permissions.ts'
import { streamFolders } from '../client/store.ts'
import { canJoin } from '../client/streams/stream-directory.ts'
import { type KnownStream, kindOf, streamsById } from '../client/streams/streams.ts'
import { WhyNot } from '../frame/WhyNot.tsx'
import { Body } from '../message-text/Body.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { Field } from '../ui/Field.tsx'
import { askToLeave } from './ask-to-leave.ts'
import { editStream } from './edit-stream.ts'
import { kindText } from './kind-text.ts'
import { findNameProblem, isAboutName } from './name-problem.ts'
import { joinStream } from './subscribe.ts'

/** The general page about a stream: description, name, joining and leaving. */
export function GeneralPage({ stream }: { stream: KnownStream }) {
  const isEdited = useSignal(false)
  const { stream_id } = stream
  const mayEdit = askPermission('edit_stream', { stream_id }).value?.allowed !== false
  const stopEditing = () => {
    isEdited.value = false
  }
  return (
    <>
      <section class="StreamDetails-section">
        {isEdited.value ? (
          <EditForm stream={stream} onDone={stopEditing} />
        ) : (
          <>
            <h2 class="Heading">{t('streams.description')}</h2>
            {stream.rendered_description === '' ? (
              <p class="StreamDetails-hint">{t('streams.no_description')}</p>
            ) : (
              <Body html={stream.rendered_description} />
            )}
            <p class="StreamDetails-hint">
              {kindText(kindOf(stream))}
              {' · '}
              {stream.stream_weekly_traffic === null
                ? t('streams.new_stream')
                : t('streams.traffic', { count: stream.stream_weekly_traffic })}
            </p>
            <div class="StreamDetails-actions">
              <Button
                icon="pencil"
                disabled={!mayEdit}
                onClick={() => {
                  isEdited.value = true
                }}
              >
                {t('streams.edit')}
              </Button>
              {!mayEdit && <WhyNot subject={t('streams.edit')} action="edit_stream" about={{ stream_id }} />}
            </div>
          </>
        )}
      </section>
      <Membership stream={stream} />
      <Archiving stream={stream} />
    </>
  )
}

function EditForm({ stream, onDone }: { stream: KnownStream; onDone: () => void }) {
  const name = useSignal(stream.name)
  const description = useSignal(stream.description)
  const folder_id = useSignal(stream.folder_id)
  // The stream as it was when the form opened. Only changed fields are sent, so that concurrent
  // changes by others are kept.
  const before = useRef(stream).current
  const problem = useSignal<{ isAboutName: boolean; text: string } | undefined>(undefined)
  const nameField = useRef<HTMLInputElement>(null)
  const save = async () => {
    const text = findNameProblem(name.value, stream)
    if (text !== undefined) {
      problem.value = { isAboutName: true, text }
      nameField.current?.focus()
      return
    }
    try {
      await editStream(stream, {
        ...(name.value !== before.name && { name: name.value.trim() }),
        ...(description.value !== before.description && { description: description.value }),
        ...(folder_id.value !== before.folder_id && { folder_id: folder_id.value }),
      })
      onDone()
    } catch (error) {
      const { name: errorName, reason } = readRefusal(error)
      problem.value = { isAboutName: isAboutName(errorName), text: reason }
    }
  }
  const nameProblem = problem.value?.isAboutName ? problem.value.text : undefined
  const otherProblem = problem.value?.isAboutName === false ? problem.value.text : undefined
  return (
    <form
      class="StreamDetails-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field label={t('streams.name')} problem={nameProblem}>
        <input
          ref={nameField}
          type="text"
          autocomplete="off"
          dir="auto"
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
            problem.value = undefined
          }}
        />
      </Field>
      <Field label={t('streams.description')} hint={t('streams.description_hint')} problem={otherProblem}>
        <textarea
          rows={3}
          dir="auto"
          maxLength={maxStreamDescriptionLength}
          value={description.value}
          onInput={({ currentTarget }) => {
            description.value = currentTarget.value
          }}
        />
      </Field>
      <FolderField
        value={folder_id.value}
        onChange={(value) => {
          folder_id.value = value
        }}
      />
      <div class="StreamDetails-actions">
        <Button type="submit" look="primary">
          {t('edit.save')}
        </Button>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
      </div>
    </form>
  )
}

interface FolderFieldProps {
  value: StreamFolderId | null
  onChange: (value: StreamFolderId | null) => void
}

/** The choice of a folder of the organization, if it has any. */
function FolderField({ value, onChange }: FolderFieldProps) {
  const folders = (streamFolders.value ?? []).filter(({ is_archived }) => !is_archived)
  if (folders.length === 0) return null
  return (
    <Choice
      label={t('streams.folder')}
      hint={t('streams.folder_for_all')}
      value={value ?? 0}
      options={[
        { value: 0, text: t('streams.folder_none_for_all') },
        ...folders.map(({ id, name }) => ({ value: id as number, text: name })),
      ]}
      onChange={(chosen) => onChange(folders.find(({ id }) => id === chosen)?.id ?? null)}
    />
  )
}

function Membership({ stream }: { stream: KnownStream }) {
  const { stream_id, name } = stream
  const isIn = streamsById.value.has(stream_id)
  return (
    <section class="StreamDetails-section">
      <h2 class="Heading">{t('streams.membership')}</h2>
      <p>{isIn ? t('streams.you_are_in') : t('streams.you_are_out')}</p>
      <div class="StreamDetails-actions">
        {isIn ? (
          <Button icon="log-out" onClick={() => askToLeave(stream)}>
            {t('streams.leave_named', { stream: name })}
          </Button>
        ) : (
          <Button
            look="primary"
            icon="plus"
            disabled={!canJoin(stream)}
            onClick={() => void joinStream(stream)}
          >
            {t('streams.join_named', { stream: name })}
          </Button>
        )}
        {!isIn && !canJoin(stream) && (
          <WhyNot
            subject={t('streams.join_named', { stream: name })}
            action="subscribe"
            about={{ stream_id }}
          />
        )}
      </div>
    </section>
  )
}

function Archiving({ stream: { stream_id } }: { stream: KnownStream }) {
  const mayArchive = askPermission('archive_stream', { stream_id }).value?.allowed !== false
  return (
    <section class="StreamDetails-section">
      <h2 class="Heading">{t('streams.archive')}</h2>
      <p>{t('streams.archive_hint')}</p>
      <div class="StreamDetails-actions">
        <Button
          look="danger"
          icon="archive"
          disabled={!mayArchive}
          onClick={() => {
            showDialog({ kind: 'archive', stream_id })
          }}
        >
          {t('streams.archive_button')}
        </Button>
        {!mayArchive && (
          <WhyNot subject={t('streams.archive_button')} action="archive_stream" about={{ stream_id }} />
        )}
      </div>
    </section>
  )
}
