import './Drafts.css'
import './Scheduled.css'
import type { ScheduledMessage } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatDateTime, formatShortDateTime } from '../client/formats/dates.ts'
import { timeAt } from '../client/formats/local-time.ts'
import { writeHash } from '../client/route/hash.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { targetOfScheduled, waitingMessages } from '../client/writing/later.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { renderBody } from '../message-text/enrich.ts'
import { readLine } from '../message-text/read-line.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'
import { DraftTabs } from './DraftTabs.tsx'
import { labelOf } from './names.ts'
import { editScheduled, removeScheduled, sendNow } from './send-later.ts'
import { TimeField, toFieldValue } from './TimeField.tsx'

/** Scheduled messages and reminders, the next one first. */
export function Scheduled() {
  const messages = waitingMessages.value
  // The dialog stays open if its message is sent meanwhile, so that a changed text is not lost.
  const edited = useSignal<ScheduledMessage | undefined>(undefined)
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
                <ScheduledRow
                  message={message}
                  onEdit={() => {
                    edited.value = message
                  }}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {edited.value && (
        <EditDialog
          message={edited.value}
          onClose={() => {
            edited.value = undefined
          }}
        />
      )}
    </ViewFrame>
  )
}

function ScheduledRow({ message, onEdit }: { message: ScheduledMessage; onEdit: () => void }) {
  const { delivery_type, content, rendered_content, failed, failure_message, scheduled_delivery_timestamp } =
    message
  const target = targetOfScheduled(message)
  const isReminder = delivery_type === 'remind'
  const time = scheduled_delivery_timestamp * 1000
  const reminded = useMemo(
    () => (isReminder ? findRemindedMessage(rendered_content) : undefined),
    [isReminder, rendered_content],
  )
  return (
    <>
      <a class="Drafts-link" href={reminded ?? writeHash(routeOfTarget(target))}>
        <span class="Drafts-target">
          <bdi>{isReminder ? t('later.reminder') : labelOf(target)}</bdi>
        </span>
        <span class="Drafts-text" dir="auto">
          {isReminder ? readLine(rendered_content) : content}
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
          <IconButton icon="pencil" label={t('later.edit')} onClick={onEdit} />
          <IconButton
            icon="trash-2"
            label={t('later.delete')}
            onClick={() => void removeScheduled(message)}
          />
        </span>
      </p>
    </>
  )
}

/** Returns the fragment of the URL of the message that a reminder quotes. */
const findRemindedMessage = (html: string): string | undefined =>
  renderBody(html).querySelector('a[href^="#narrow/"][href*="/near/"]')?.getAttribute('href') ?? undefined

function EditDialog({ message, onClose }: { message: ScheduledMessage; onClose: () => void }) {
  const content = useSignal(message.content)
  const before = toFieldValue(message.scheduled_delivery_timestamp * 1000)
  const time = useSignal(before)
  const problems = useSignal<{ text?: string; time?: string }>({})
  const save = async () => {
    // The field has no seconds, and a clock that is set back shows some times twice.
    const keepsTime = time.value === before && !message.failed
    const changedTime = keepsTime ? undefined : timeAt(time.value)
    if (changedTime !== undefined && !(changedTime > Date.now())) {
      problems.value = { time: t('later.past') }
      return
    }
    try {
      await editScheduled(message, { content: content.value, time: changedTime })
      onClose()
    } catch (error) {
      const { name, reason } = readRefusal(error)
      const isAboutTime = name === 'SCHEDULED_TIME_PAST' || name === 'DELIVERY_TIME_INVALID'
      problems.value = isAboutTime ? { time: reason } : { text: reason }
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
        <Field label={t('later.text')} problem={problems.value.text}>
          <textarea
            rows={6}
            value={content.value}
            onInput={({ currentTarget }) => {
              content.value = currentTarget.value
              problems.value = {}
            }}
          />
        </Field>
        <TimeField
          label={t('later.time')}
          value={time.value}
          problem={problems.value.time}
          onInput={(value) => {
            time.value = value
            problems.value = {}
          }}
        />
      </div>
    </Dialog>
  )
}
