import './PresenceDot.css'
import { t } from '../text/t.ts'

const words = {
  active: () => t('presence.active'),
  idle: () => t('presence.idle'),
  offline: () => t('presence.offline'),
}

/** Shows by shape and colour, and in words for screen readers, whether a person is active. */
export function PresenceDot({
  availability,
  isSilent = false,
}: {
  availability: keyof typeof words
  /** Set if the words are shown beside the dot, so that they are not repeated. */
  isSilent?: boolean
}) {
  return (
    <span class="PresenceDot" data-state={availability} aria-hidden={isSilent || undefined}>
      {!isSilent && <span class="Spoken">{words[availability]()}</span>}
    </span>
  )
}
