import './ConversationLink.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { routeOfMessage } from '../actions/copy-link.ts'
import { writeHash } from '../router/hash.ts'
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
