import './OwnStatus.css'
import { getOwnStatus } from '../client/account/status.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { ownName } from '../client/store.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

/** The user's own name and status, as others see them; a click changes it. Empty without a status. */
export function OwnStatus() {
  const { text, isAway } = getOwnStatus()
  if (text === '' && !isAway) return null
  return (
    <button type="button" class="OwnStatus" onClick={() => showDialog({ kind: 'status' })}>
      <Icon name={isAway ? 'eye-off' : 'smile'} />
      <span class="OwnStatus-text">
        <span>
          <bdi>{ownName.value}</bdi>: {isAway && <b>{t('presence.away')}</b>}
          {isAway && text !== '' && ' · '}
        </span>
        <bdi class="Cut">{text}</bdi>
      </span>
      <span class="Spoken">{t('status.change')}</span>
    </button>
  )
}
