import { isStatusOpen } from '../data/status-dialog.ts'
import { t } from '../text/t.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { StatusForm } from './StatusForm.tsx'

/** A dialog for the user's status, which any view can open. */
export function StatusDialog() {
  const close = () => {
    isStatusOpen.value = false
  }
  return (
    <Dialog title={t('status.title')} onClose={close}>
      <StatusForm onDone={close} />
    </Dialog>
  )
}
