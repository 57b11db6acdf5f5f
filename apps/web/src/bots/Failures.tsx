import './Failures.css'
import type { WebhookFailure } from '@oxbow/contract'
import { type Loaded, useLoaded } from '../client/use-loaded.ts'
import { Group } from '../frame/Group.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { RowsFailed, RowsLoading } from '../ui/Loading.tsx'
import { FailureRow } from './FailureRow.tsx'
import type { Replays } from './use-replays.ts'
import { listIntegrations } from './webhooks.ts'

export interface FailuresProps {
  failures: Loaded<readonly WebhookFailure[]>
  replays: Replays
}

/** The list of deliveries that the server refused, which can be delivered again. */
export function Failures({ failures: { value: failures, problem, reload }, replays }: FailuresProps) {
  const { value: integrations } = useLoaded(listIntegrations)
  const { outcomes, waiting, replay, forgetFailed } = replays
  // Oldest first, so that the messages have the order of the events.
  const replayable = (failures ?? [])
    .filter(({ id, may_be_replayed }) => may_be_replayed && outcomes.get(id)?.kind !== 'delivered')
    .reverse()
  return (
    <Group title={t('webhook.refused')} hint={t('webhook.refused_hint')}>
      <div class="Failures-actions">
        <Button icon="refresh-cw" onClick={() => void reload().then(forgetFailed)}>
          {t('webhook.reload')}
        </Button>
        {replayable.length > 1 && (
          <Button onClick={() => void replay(replayable)}>{t('webhook.again_all')}</Button>
        )}
        <span class="Failures-hint" role="status">
          {waiting.length > 0 && t('webhook.running', { count: waiting.length })}
        </span>
      </div>
      {problem !== undefined && <RowsFailed problem={problem} onRetry={() => void reload()} />}
      {!failures && problem === undefined && <RowsLoading />}
      {failures?.length === 0 && (
        <Empty icon="check-check" title={t('webhook.no_failures')} text={t('webhook.no_failures_hint')} />
      )}
      {failures && failures.length > 0 && (
        <ul class="Failures">
          {failures.map((failure) => (
            <FailureRow
              key={failure.id}
              failure={failure}
              service={integrations?.find(({ name }) => name === failure.integration)?.title}
              outcome={outcomes.get(failure.id)}
              onReplay={() => void replay([failure])}
            />
          ))}
        </ul>
      )}
    </Group>
  )
}
