import './OwnStatus.css'
import { getOwnStatus } from '../actions/status.ts'
import { isStatusOpen } from '../data/status-dialog.ts'
import { ownName } from '../data/store.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

/** The user's own name and status, as others see them; a click changes it. Empty without a status. */
export function OwnStatus() {
  const { text, isAway } = getOwnStatus()
  if (text === '' && !isAway) return null
  return (
    <button
      type="button"
      class="OwnStatus"
      onClick={() => {
        isStatusOpen.value = true
      }}
    >
      <Icon name={isAway ? 'eye-off' : 'smile'} />
      <span class="OwnStatus-text">
        <bdi>{ownName.value}</bdi>: {isAway && <b>{t('presence.away')}</b>}
        {isAway && text !== '' && ' · '}
        <bdi>{text}</bdi>
      </span>
      <span class="Spoken">{t('status.change')}</span>
    </button>
  )
}
