import './RefusedAction.css'
import { refusedAction } from '../client/act.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'

/** Shows why the server refused the last action, for actions that do not show errors themselves. */
export function RefusedAction() {
  const reason = refusedAction.value
  return (
    <div class="RefusedAction" role="alert">
      {reason !== undefined && (
        <p class="RefusedAction-line">
          {reason}
          <IconButton
            icon="x"
            label={t('ui.close')}
            onClick={() => {
              refusedAction.value = undefined
            }}
          />
        </p>
      )}
    </div>
  )
}
