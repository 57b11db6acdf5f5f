import './UnsentActions.css'
import { batch } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { openRoute } from '../client/route/router.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { prependToDraft } from '../client/writing/drafts.ts'
import { discard, type OutboxEntry, sendAgain } from '../client/writing/outbox.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { focusComposer } from './focus.ts'

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

/** Moves the text of an unsent message back into the composer of its conversation. */
function editUnsent(local_id: string): void {
  batch(() => {
    const entry = discard(local_id)
    if (!entry) return
    prependToDraft(entry.target, entry.content)
    openRoute(routeOfTarget(entry.target))
  })
  requestAnimationFrame(focusComposer)
}

/** A message that is not confirmed within this time gets a clock icon. */
const slowMs = 3_000

/** Returns whether more than `slowMs` have passed since the given time. */
function useIsSlow(since: number): boolean {
  const [isSlow, setSlow] = useState(Date.now() - since > slowMs)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(since + slowMs - Date.now(), 0))
    return () => clearTimeout(timer)
  }, [since])
  return isSlow
}
