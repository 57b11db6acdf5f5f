import './ConversationLink.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { routeOfMessage } from '../actions/copy-link.ts'
import { writeHash } from '../router/hash.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

/** Leads to a message in its conversation. Enter on the message does the same, so it is no tab stop. */
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
