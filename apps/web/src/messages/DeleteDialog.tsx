import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { removeMessage } from '../actions/remove.ts'
import { closeDialog } from '../data/dialogs.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { readLine } from './read-line.ts'

/** Asks for confirmation before a message is deleted. */
export function DeleteDialog({ message }: { message: WindowMessage }) {
  const refusal = useSignal<string | undefined>(undefined)
  const remove = async () => {
    try {
      await removeMessage(message)
      closeDialog()
    } catch (error) {
      refusal.value = readRefusal(error).reason
    }
  }
  return (
    <Dialog
      title={t('delete.title')}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{t('ui.cancel')}</Button>
          <Button look="danger" icon="trash-2" onClick={() => void remove()}>
            {t('delete.delete')}
          </Button>
        </>
      }
    >
      <blockquote class="MessageDialogs-quote" dir="auto">
        {readLine(message.content)}
      </blockquote>
      <p>{t('delete.hint')}</p>
      {refusal.value && (
        <p class="MoveDialog-refusal" role="alert">
          {refusal.value}
        </p>
      )}
    </Dialog>
  )
}
