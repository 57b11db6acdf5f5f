import type { WebhookFailure } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { formatShortDateTime } from '../client/formats/dates.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { FailureDetail } from './FailureDetail.tsx'
import { cutText } from './format-delivery.ts'
import { findReplayObstacle, hasContent } from './replay-obstacle.ts'
import type { ReplayOutcome } from './use-replays.ts'

export interface FailureRowProps {
  failure: WebhookFailure
  /** Title of the service; undefined while it is unknown. */
  service: string | undefined
  /** The result of delivering it again; undefined before. */
  outcome: ReplayOutcome | undefined
  onReplay: () => void
}

/** Reasons may contain long names of events from the delivery. */
const maxReasonCharacters = 500

/** A refused delivery with its reason, its content on demand and the result of delivering it again. */
export function FailureRow({ failure, service = failure.integration, outcome, onReplay }: FailureRowProps) {
  const isOpen = useSignal(false)
  const id = useId()
  const time = formatShortDateTime(failure.received_at * 1_000)
  const delivery = t('webhook.delivery', { service, time })
  const isDelivered = outcome?.kind === 'delivered'
  const code = (outcome?.kind === 'refused' && outcome.code) || failure.code
  return (
    <li class="Failures-row">
      <p class="Failures-head">
        <bdi class="Failures-service">{service}</bdi>
        <time dateTime={new Date(failure.received_at * 1_000).toISOString()}>{time}</time>
        <code>{code}</code>
      </p>
      <Reason failure={failure} outcome={outcome} />
      <div class="Failures-actions">
        {failure.may_be_replayed && !isDelivered && (
          <Button icon="rotate-ccw" aria-label={t('webhook.again_one', { delivery })} onClick={onReplay}>
            {t('webhook.again')}
          </Button>
        )}
        {hasContent(failure) && (
          <Button
            icon={isOpen.value ? 'chevron-down' : 'chevron-right'}
            aria-label={t('webhook.details_one', { delivery })}
            aria-expanded={isOpen.value}
            aria-controls={id}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {t('webhook.details')}
          </Button>
        )}
      </div>
      <div id={id} hidden={!isOpen.value}>
        {isOpen.value && <FailureDetail failure={failure} />}
      </div>
    </li>
  )
}

const obstacles = {
  unsigned: () => t('webhook.not_unsigned'),
  incomplete: () => t('webhook.not_incomplete'),
  'former owner': () => t('webhook.not_owner'),
} as const

/** The reason of the refusal, or the result of delivering it again. */
function Reason({ failure, outcome }: Pick<FailureRowProps, 'failure' | 'outcome'>) {
  const done = useRef<HTMLParagraphElement>(null)
  const isDelivered = outcome?.kind === 'delivered'
  useEffect(() => {
    // The focused button has disappeared.
    if (isDelivered && document.activeElement === document.body) done.current?.focus()
  }, [isDelivered])
  if (isDelivered)
    return (
      <p ref={done} class="Failures-done" tabIndex={-1}>
        {t('webhook.delivered', { count: outcome.count })}{' '}
        {outcome.link !== undefined && <a href={outcome.link}>{t('webhook.show_message')}</a>}
      </p>
    )
  const obstacle = findReplayObstacle(failure)
  return (
    <>
      <p class="Failures-reason" role="status">
        <bdi>
          {outcome?.kind === 'refused'
            ? t('webhook.refused_again', { reason: cutReason(outcome.reason) })
            : cutReason(failure.reason)}
        </bdi>
      </p>
      {outcome?.kind === 'failed' && (
        <p class="Failures-problem" role="alert">
          {outcome.reason}
        </p>
      )}
      {obstacle && <p class="Failures-hint">{obstacles[obstacle]()}</p>}
    </>
  )
}

function cutReason(reason: string): string {
  const { text, isCut } = cutText(reason, maxReasonCharacters)
  return isCut ? `${text}…` : text
}
