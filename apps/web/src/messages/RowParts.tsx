import './RowParts.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { formatDay } from '../client/formats/dates.ts'
import { dayOf } from '../client/formats/local-time.ts'
import { routeOfMessage } from '../client/messages/links.ts'
import { writeHash } from '../client/route/hash.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

/**
 * A link to a message in its conversation. It is not a tab stop, because Enter on the message opens
 * the same view.
 */
export function ConversationLink({ message }: { message: WindowMessage }) {
  const label = t('message.show_in_conversation')
  return (
    <a
      class="ConversationLink"
      href={writeHash(routeOfMessage(message))}
      tabIndex={-1}
      aria-label={label}
      title={label}
    >
      <span class="ConversationLink-text">{label}</span>
      <Icon name="corner-up-right" />
    </a>
  )
}

/** Replaces a message whose sender is muted on this device. */
export const MutedMessage = ({ id, onShow }: { id: string; onShow: () => void }) => (
  <p class="MutedMessage" id={id}>
    {t('message.muted')}{' '}
    <button type="button" class="MutedMessage-show" onClick={onShow}>
      {t('message.show')}
    </button>
  </p>
)

/** Separates messages of different days. */
export function DayLine({ time }: { time: number }) {
  return (
    <li class="DayLine">
      <time dateTime={dayOf(time)}>{formatDay(time)}</time>
    </li>
  )
}

/**
 * Separates the messages that were unread when the view was opened from earlier ones. It stays until
 * the view is left.
 */
export function UnreadLine({ count }: { count: number }) {
  return (
    <li class="UnreadLine">
      <span>{t('messages.new_line', { count })}</span>
    </li>
  )
}
