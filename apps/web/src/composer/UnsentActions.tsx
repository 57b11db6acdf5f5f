import './UnsentActions.css'
import { discard, type OutboxEntry, sendAgain } from '../data/outbox.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { editUnsent } from './edit-unsent.ts'
import { useIsSlow } from './use-is-slow.ts'

/**
 * Shows the state of an unsent message: nothing at first, then a clock; after a failure, the reason
 * and the possible actions.
 */
export function UnsentActions({ entry }: { entry: OutboxEntry }) {
  const { local_id, state, reason = '' } = entry
  const isSlow = useIsSlow(entry.created_at)
  if (state === 'failed')
    return (
      <div class="UnsentActions UnsentActions-failed" role="alert">
        <span>{t('outbox.failed', { reason })}</span>
        <span class="UnsentActions-buttons">
          <Button look="plain" onClick={() => sendAgain(local_id)}>
            {t('outbox.send_again')}
          </Button>
          <Button look="plain" onClick={() => editUnsent(local_id)}>
            {t('outbox.edit')}
          </Button>
          <Button look="plain" onClick={() => discard(local_id)}>
            {t('outbox.discard')}
          </Button>
        </span>
      </div>
    )
  if (state === 'sending' && !isSlow) return null
  return (
    <div class="UnsentActions">
      <Icon name="clock" />
      {state === 'waiting' ? t('outbox.waiting') : t('outbox.sending')}
    </div>
  )
}
