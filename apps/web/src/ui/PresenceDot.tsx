import './PresenceDot.css'
import { t } from '../text/t.ts'

const words = {
  active: () => t('presence.active'),
  idle: () => t('presence.idle'),
  offline: () => t('presence.offline'),
}

/** Says by its form and colour, and in words for screen readers, whether a person is there. */
export function PresenceDot({
  availability,
  isSilent = false,
}: {
  availability: keyof typeof words
  /** The words stand beside it. */
  isSilent?: boolean
}) {
  return (
    <span class="PresenceDot" data-state={availability} aria-hidden={isSilent || undefined}>
      {!isSilent && <span class="Spoken">{words[availability]()}</span>}
    </span>
  )
}
