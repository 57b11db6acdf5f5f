import './Drafts.css'
import './Scheduled.css'
import type { ScheduledMessage } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { editScheduled, removeScheduled, sendNow } from '../actions/send-later.ts'
import { labelOf } from '../composer/names.ts'
import { routeOfTarget } from '../composer/target-route.ts'
import { targetOfScheduled, waitingMessages } from '../data/later.ts'
import { writeHash } from '../router/hash.ts'
import { ViewFrame } from '../shell/ViewFrame.tsx'
import { formatDateTime, formatShortDateTime } from '../text/dates.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { toFieldValue } from '../text/usual-times.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'
import { DraftTabs } from './DraftTabs.tsx'

/** Scheduled messages and reminders, the next one first. */
export function Scheduled() {
  const messages = waitingMessages.value
  return (
    <ViewFrame title={t('later.title')}>
      <DraftTabs />
      {messages.length === 0 ? (
        <Empty icon="clock" title={t('later.empty')} text={t('later.empty_hint')} />
      ) : (
        <div class="Drafts">
          <ul class="Drafts-list">
            {messages.map((message) => (
              <li key={message.scheduled_message_id} class="Drafts-row Scheduled-row">
                <ScheduledRow message={message} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </ViewFrame>
  )
}

function ScheduledRow({ message }: { message: ScheduledMessage }) {
  const { delivery_type, content, failed, failure_message, scheduled_delivery_timestamp } = message
  const isEdited = useSignal(false)
  const target = targetOfScheduled(message)
  const isReminder = delivery_type === 'remind'
  const time = scheduled_delivery_timestamp * 1000
  return (
    <>
      <a class="Drafts-link" href={writeHash(routeOfTarget(target))}>
        <span class="Drafts-target">
          <bdi>{isReminder ? t('later.reminder') : labelOf(target)}</bdi>
        </span>
        <span class="Drafts-text" dir="auto">
          {content}
        </span>
      </a>
      <p class="Scheduled-bar">
        <time class="Scheduled-time" title={formatDateTime(time)}>
          {formatShortDateTime(time)}
        </time>
        {failed && (
          <span class="Scheduled-failure">{t('later.failed', { reason: failure_message ?? '' })}</span>
        )}
        <span class="Scheduled-actions">
          {!isReminder && (
            <Button icon="send-horizontal" onClick={() => void sendNow(message)}>
              {t('later.now')}
            </Button>
          )}
          <IconButton
            icon="pencil"
            label={t('later.edit')}
            onClick={() => {
              isEdited.value = true
            }}
          />
          <IconButton
            icon="trash-2"
            label={t('later.delete')}
            onClick={() => void removeScheduled(message)}
          />
        </span>
      </p>
      {isEdited.value && (
        <EditDialog
          message={message}
          onClose={() => {
            isEdited.value = false
          }}
        />
      )}
    </>
  )
}

function EditDialog({ message, onClose }: { message: ScheduledMessage; onClose: () => void }) {
  const content = useSignal(message.content)
  const time = useSignal(toFieldValue(new Date(message.scheduled_delivery_timestamp * 1000)))
  const refusal = useSignal<string | undefined>(undefined)
  const save = async () => {
    try {
      await editScheduled(message, { content: content.value, time: new Date(time.value) })
      onClose()
    } catch (error) {
      refusal.value = readRefusal(error).reason
    }
  }
  return (
    <Dialog
      title={t('later.edit')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" onClick={() => void save()}>
            {t('edit.save')}
          </Button>
        </>
      }
    >
      <div class="Scheduled-form">
        <Field label={t('later.text')}>
          <textarea
            rows={6}
            value={content.value}
            onInput={({ currentTarget }) => {
              content.value = currentTarget.value
            }}
          />
        </Field>
        <Field label={t('later.time')} problem={refusal.value}>
          <input
            type="datetime-local"
            value={time.value}
            onInput={({ currentTarget }) => {
              time.value = currentTarget.value
            }}
          />
        </Field>
      </div>
    </Dialog>
  )
}
