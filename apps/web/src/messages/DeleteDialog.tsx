import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { client } from '../client/client.ts'
import { closeDialog, closeDialogOf } from '../client/open-dialogs.ts'
import { readLine } from '../message-text/read-line.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** Asks for confirmation before a message is deleted. */
export function DeleteDialog({ message }: { message: WindowMessage }) {
  const refusal = useSignal<string | undefined>(undefined)
  const remove = async () => {
    try {
      await removeMessage(message)
      closeDialogOf('delete')
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

/** Deletes a message. It disappears when the event arrives. Throws the server's refusal. */
const removeMessage = ({ id }: WindowMessage): Promise<unknown> => client.messages.remove({ message_id: id })
