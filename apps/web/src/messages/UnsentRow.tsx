import './UnsentRow.css'
import { avatarOf, nameOf } from '../data/names.ts'
import { discard, type OutboxEntry, sendAgain } from '../data/outbox.ts'
import { ownId } from '../data/store.ts'
import { formatTime } from '../text/dates.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Body } from './Body.tsx'

/** A message of the reader that the server has not confirmed, below all others. */
export function UnsentRow({ entry }: { entry: OutboxEntry }) {
  const { html, state, reason = '', created_at, local_id } = entry
  const own = ownId.value ?? 0
  return (
    <li class="Row UnsentRow" data-head data-state={state}>
      <article class="Row-message">
        <header class="RowHead">
          <Avatar url={avatarOf(own)} name={nameOf(own)} size="l" />
          <span class="RowHead-name">
            <bdi>{nameOf(own)}</bdi>
          </span>
          <span class="Row-time">{formatTime(created_at)}</span>
        </header>
        <div class="Row-content">
          <Body html={html} />
          {state === 'waiting' && (
            <p class="UnsentRow-state">
              <Icon name="clock" />
              {t('unsent.waiting')}
            </p>
          )}
          {state === 'failed' && (
            <div class="UnsentRow-state" role="alert">
              <span>{t('unsent.failed', { reason })}</span>
              <button type="button" onClick={() => sendAgain(local_id)}>
                {t('unsent.again')}
              </button>
              <button type="button" onClick={() => void discard(local_id)}>
                {t('unsent.discard')}
              </button>
            </div>
          )}
        </div>
      </article>
    </li>
  )
}
