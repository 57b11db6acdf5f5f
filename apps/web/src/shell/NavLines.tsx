import './NavLines.css'
import { isOffered, putOff, requestPermission } from '../client/device/notification-permission.ts'
import { applyUpdate, isUpdateReady } from '../client/device/worker.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

/** Offers to start a new version of the client. */
export function UpdateLine() {
  if (!isUpdateReady.value) return null
  return (
    <div class="UpdateLine" role="status">
      <span>{t('update.ready')}</span>
      <Button look="plain" onClick={applyUpdate}>
        {t('update.reload')}
      </Button>
    </div>
  )
}

/** Offers to allow notifications after one could not be shown. */
export function NotificationLine() {
  if (!isOffered()) return null
  return (
    <div class="UpdateLine NotificationLine" role="status">
      <span>{t('notification.offer')}</span>
      <span>
        <Button look="plain" onClick={() => void requestPermission()}>
          {t('notification.allow')}
        </Button>
        <Button look="plain" onClick={putOff}>
          {t('notification.later')}
        </Button>
      </span>
    </div>
  )
}
