import './UpdateLine.css'
import { applyUpdate, isUpdateReady } from '../device/worker.ts'
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
