import './RefusedAction.css'
import { refusedAction } from '../actions/act.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'

/** Says why the server did not do the last action that has no place of its own for it. */
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
