import './UpdateLine.css'
import { isOffered, putOff, requestPermission } from '../notifications/permission.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

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
