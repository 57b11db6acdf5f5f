import { cancelSignOut, endSession } from '../actions/sign-out.ts'
import { type SigningOut, signingOut } from '../data/signing-out.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** Explains why the user is not signed out yet, and offers to retry. */
export function SignOutDialog() {
  const open = signingOut.value
  if (!open) return null
  const waits = open.status === 'waits'
  return (
    <Dialog
      title={titles[open.status]()}
      onClose={cancelSignOut}
      actions={
        <>
          <Button onClick={cancelSignOut}>{t('sign_out.stay')}</Button>
          {!waits && (
            <Button look={open.status === 'asks' ? 'danger' : 'primary'} onClick={() => void endSession()}>
              {open.status === 'asks' ? t('sign_out.anyway') : t('boot.reload')}
            </Button>
          )}
        </>
      }
    >
      {open.status === 'asks' && <p>{t('sign_out.unsent', { count: open.unsentCount })}</p>}
      {open.status === 'waits' && <p role="status">{t('sign_out.waiting_hint')}</p>}
      {open.status === 'failed' && <p role="alert">{t('sign_out.failed', { reason: open.reason })}</p>}
    </Dialog>
  )
}

const titles: Record<SigningOut['status'], () => string> = {
  asks: () => t('sign_out.ask'),
  waits: () => t('sign_out.waiting'),
  failed: () => t('sign_out.title'),
}
