import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { copyText } from '../client/messages/links.ts'
import { fetchSource } from '../client/messages/source.ts'
import { closeDialog } from '../client/open-dialogs.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** The Markdown of a message. */
export function SourceDialog({ message }: { message: WindowMessage }) {
  const source = useSignal('')
  useEffect(() => {
    fetchSource(message).then(
      (text) => {
        source.value = text
      },
      (error: unknown) => {
        source.value = readRefusal(error).reason
      },
    )
  }, [message.id])
  return (
    <Dialog
      title={t('message.source')}
      onClose={closeDialog}
      actions={
        <Button icon="copy" onClick={() => void copyText(message)}>
          {t('message.copy_text')}
        </Button>
      }
    >
      <pre dir="auto">{source.value}</pre>
    </Dialog>
  )
}
