import type { Submessage } from '@oxbow/contract'
import type { EmittedEvent, EventShape } from '../events/event-shape.ts'
import { narrowFilters } from './read/narrow/operators.ts'

/**
 * A message as the event's record holds it: with source text and HTML, and without flags, which are
 * in the record's header.
 */
export interface EmittedMessage {
  /** The Markdown source. */
  content: string
  rendered_content: string
  avatar_url: string | null
  /** The widget that the message begins with, without the message's id. */
  submessages?: readonly Omit<Submessage, 'message_id'>[]
  /** Set where the client can compute the avatar's URL itself. */
  isAvatarExternal?: true
  readonly [field: string]: unknown
}

type Variant = `${'html' | 'raw'}${'' | ', own avatars'}`

export const messageEventShape: EventShape = {
  type: 'message',
  filters: narrowFilters,
  variant: ({ apply_markdown, client_external_avatar }): Variant => {
    if (apply_markdown) return client_external_avatar ? 'html, own avatars' : 'html'
    return client_external_avatar ? 'raw, own avatars' : 'raw'
  },
  render: (event, variant) => [{ ...event, message: viewFor(variant as Variant, event) }],
  /** The queue named by the sender gets its local id back, under the old and the new name. */
  renderForAccount(event, part, variant) {
    const { local_id } = part as { local_id: string }
    const message = { ...viewFor(variant as Variant, event), local_id }
    return [JSON.stringify({ ...event, message, local_message_id: local_id })]
  },
}

function viewFor(variant: Variant, event: EmittedEvent): object {
  const { rendered_content, isAvatarExternal, ...message } = event.message as EmittedMessage
  // Events of the release before may be without them.
  const { submessages = [] } = message
  return {
    ...message,
    ...(submessages.length > 0 && {
      submessages: submessages.map((submessage) => ({ ...submessage, message_id: message.id })),
    }),
    ...(variant.startsWith('html')
      ? { content: rendered_content, content_type: 'text/html' }
      : { content_type: 'text/x-markdown' }),
    ...(isAvatarExternal && variant.endsWith('own avatars') && { avatar_url: null }),
  }
}
