import './HistoryDialog.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { client } from '../client/client.ts'
import { formatDateTime } from '../client/formats/dates.ts'
import { closeDialog } from '../client/open-dialogs.ts'
import { nameOf } from '../client/people/names.ts'
import { Body } from '../message-text/Body.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** The versions of a message, newest first, with their differences. */
export function HistoryDialog({ message }: { message: WindowMessage }) {
  const versions = useSignal<readonly Version[]>([])
  const refusal = useSignal<string | undefined>(undefined)
  useEffect(() => {
    fetchHistory(message).then(
      (history) => {
        versions.value = history
      },
      (error: unknown) => {
        refusal.value = readRefusal(error).reason
      },
    )
  }, [message.id])
  return (
    <Dialog title={t('history.title')} onClose={closeDialog}>
      {refusal.value && <p role="alert">{refusal.value}</p>}
      <ol class="HistoryDialog">
        {versions.value.map((version) => (
          <li key={version.timestamp} class="HistoryDialog-version">
            <p class="HistoryDialog-head">
              {version.user_id !== null && <bdi>{nameOf(version.user_id)}</bdi>}{' '}
              <time>{formatDateTime(version.timestamp * 1000)}</time>
            </p>
            {version.prev_topic !== undefined && (
              <p>{t('history.topic', { before: version.prev_topic, after: version.topic })}</p>
            )}
            <Body html={version.content_html_diff ?? version.rendered_content} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

/** A version of a message. */
type Version = Awaited<ReturnType<typeof client.messages.history>>['message_history'][number]

/** Returns the versions of a message, newest first. Throws the server's refusal. */
async function fetchHistory({ id }: WindowMessage): Promise<readonly Version[]> {
  const { message_history } = await client.messages.history({ message_id: id })
  return message_history.toReversed()
}
