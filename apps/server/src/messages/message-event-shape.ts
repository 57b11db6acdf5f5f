import type { Message, PrivateMessage, StreamMessage, Submessage } from '@oxbow/contract'
import type { EmittedEvent, EventShape } from '../events/event-shape.ts'
import { narrowFilters } from './read/narrow/operators.ts'

/**
 * A message as stored in an event's record. It has the source text and the HTML, but no flags: the
 * record's header contains the flags.
 */
export type EmittedMessage = Emitted<StreamMessage> | Emitted<PrivateMessage>

type Emitted<Kind extends Message> = Readonly<Omit<Kind, 'content_type' | 'submessages' | 'topic_links'>> & {
  readonly topic_links: readonly string[]
  readonly rendered_content: string
  /** The widget that the message was sent with. The message's id is not known yet. */
  readonly submessages: readonly Omit<Submessage, 'message_id'>[]
  /** Set if the client can compute the avatar's URL itself. */
  readonly isAvatarExternal?: true
}

/** Fields that are added by the statement that inserts the message: see `send/send-message.sql`. */
type WrittenByDatabase = 'id' | 'recipient_id' | 'timestamp' | 'submessages'

export type MessageBeforeWrite =
  | Omit<Emitted<StreamMessage>, WrittenByDatabase>
  | Omit<Emitted<PrivateMessage>, WrittenByDatabase>

/** Fields that are missing in events written by the previous release. */
type AddedLater = 'submessages'
type StoredMessage = Omit<EmittedMessage, AddedLater> & Partial<Pick<EmittedMessage, AddedLater>>

type Variant = `${'html' | 'raw'}${'' | ', own avatars'}`

export const messageEventShape: EventShape = {
  type: 'message',
  filters: narrowFilters,
  variant: ({ apply_markdown, client_external_avatar }): Variant => {
    if (apply_markdown) return client_external_avatar ? 'html, own avatars' : 'html'
    return client_external_avatar ? 'raw, own avatars' : 'raw'
  },
  render: (event, variant) => [{ ...event, message: viewFor(variant as Variant, event) }],
  /** The queue that the sender specified gets its local id back, under the old and the new name. */
  renderForAccount(event, part, variant) {
    const { local_id } = part as { local_id: string }
    const message = { ...viewFor(variant as Variant, event), local_id }
    return [JSON.stringify({ ...event, message, local_message_id: local_id })]
  },
}

function viewFor(variant: Variant, event: EmittedEvent): object {
  const { rendered_content, isAvatarExternal, ...message } = event.message as StoredMessage
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
