import { cancelSignOut, endSession } from '../client/account/sign-out.ts'
import { openDialog, type SigningOut } from '../client/open-dialogs.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** Explains why the user is not signed out yet, and offers to retry. */
export function SignOutDialog() {
  const open = openDialog.value
  if (open?.kind !== 'sign out') return null
  const { progress: signOut } = open
  const isWaiting = signOut.status === 'waiting'
  return (
    <Dialog
      title={titles[signOut.status]()}
      onClose={cancelSignOut}
      actions={
        <>
          <Button onClick={cancelSignOut}>{t('sign_out.stay')}</Button>
          {!isWaiting && (
            <Button
              look={signOut.status === 'confirming' ? 'danger' : 'primary'}
              onClick={() => void endSession()}
            >
              {signOut.status === 'confirming' ? t('sign_out.anyway') : t('boot.reload')}
            </Button>
          )}
        </>
      }
    >
      {signOut.status === 'confirming' && <p>{t('sign_out.unsent', { count: signOut.unsentCount })}</p>}
      {signOut.status === 'waiting' && <p role="status">{t('sign_out.waiting_hint')}</p>}
      {signOut.status === 'failed' && <p role="alert">{t('sign_out.failed', { reason: signOut.reason })}</p>}
    </Dialog>
  )
}

const titles: Record<SigningOut['status'], () => string> = {
  confirming: () => t('sign_out.ask'),
  waiting: () => t('sign_out.waiting'),
  failed: () => t('sign_out.title'),
}
