import './PresenceDot.css'
import { t } from '../text/t.ts'

const words = {
  active: () => t('presence.active'),
  idle: () => t('presence.idle'),
  offline: () => t('presence.offline'),
}

/** Shows by shape, colour and a text for screen readers whether a person is active. */
export function PresenceDot({
  availability,
  isSilent = false,
}: {
  availability: keyof typeof words
  /** Set if the same text is shown beside the dot, so that screen readers do not repeat it. */
  isSilent?: boolean
}) {
  return (
    <span class="PresenceDot" data-state={availability} aria-hidden={isSilent || undefined}>
      {!isSilent && <span class="Spoken">{words[availability]()}</span>}
    </span>
  )
}
