import type {
  BotType,
  Message,
  OrganizationId,
  PrivateMessage,
  StreamMessage,
  Submessage,
  UserId,
} from '@oxbow/contract'
import { buildRecordHeader } from '../../events/emit.ts'
import type { EmittedEvent, EventShape } from '../../events/event-shape.ts'
import type { Header } from '../../events/record.ts'
import { avatarUrl, canClientComputeAvatar, displayEmail } from '../../identity/accounts/public-account.ts'
import type { App } from '../../platform/app.ts'
import { getStreamAudience } from '../../streams/audiences.ts'
import { streamUpdated } from '../../streams/events.ts'
import type { RenderedContent } from '../content/message-text.ts'
import { narrowFilters } from '../read/narrow/operators.ts'
import { viewPeople } from '../views.ts'
import type { RecipientState, SendPreconditions, TargetStream } from './preconditions.ts'

/** The fields of the sender that readers see. */
interface SenderView {
  id: UserId
  full_name: string
  delivery_email: string
  bot_type: BotType | null
  avatar_source: 'external' | 'uploaded'
  avatar_version: number
}

/** A checked and rendered message, ready to be sent. */
export interface PreparedMessage {
  organization: SendPreconditions['organization']
  sender: SenderView
  /** The stream, or all members of the conversation. */
  to: TargetStream | readonly RecipientState[]
  topic: string
  topic_links: readonly string[]
  content: string
  client: string
  rendered: RenderedContent
  /** Outgoing webhooks that the message calls. */
  calledBots?: readonly UserId[]
  /** JSON of the widget that the message was sent with. */
  widget?: string | undefined
  readers: readonly UserId[]
  echo?: Header['echo'] | undefined
  /** Milliseconds since 1970 at which the message began to be sent; for metrics. */
  sentAt?: number
}

/**
 * A message as stored in an event's record. It has the source text and the HTML, but no flags: the
 * record's header contains the flags.
 */
type EmittedMessage = Emitted<StreamMessage> | Emitted<PrivateMessage>

type Emitted<Kind extends Message> = Readonly<Omit<Kind, 'content_type' | 'submessages' | 'topic_links'>> & {
  readonly topic_links: readonly string[]
  readonly rendered_content: string
  /** The widget that the message was sent with. The message's id is not known yet. */
  readonly submessages: readonly Omit<Submessage, 'message_id'>[]
  /** Set if the client can compute the avatar's URL itself. */
  readonly isAvatarExternal?: true
}

/** Fields that are added by the statement that inserts the message: see `send-message.sql`. */
type WrittenByDatabase = 'id' | 'recipient_id' | 'timestamp' | 'submessages'

type MessageBeforeWrite =
  | Omit<Emitted<StreamMessage>, WrittenByDatabase>
  | Omit<Emitted<PrivateMessage>, WrittenByDatabase>

/** Fields that are missing in events written by the previous release. */
type AddedLater = 'submessages'
type StoredMessage = Omit<EmittedMessage, AddedLater> & Partial<Pick<EmittedMessage, AddedLater>>

/**
 * The records of a new message. The statement that writes them adds the values that only the
 * database knows, such as the message id.
 */
export interface MessageEvents {
  sent: { header: Header; message: MessageBeforeWrite }
  /**
   * The event that sets the stream's `first_message_id`; undefined if the stream has messages.
   * Lists of streams contain this id, so users who see the stream without being subscribed get this
   * event too.
   */
  first: { header: Header; event: object } | undefined
}

type ViewContext = Pick<App, 'config' | 'secrets'>

const isStream = (to: PreparedMessage['to']): to is TargetStream => !Array.isArray(to)

export function messageSent(
  app: ViewContext,
  organization_id: OrganizationId,
  prepared: PreparedMessage,
): MessageEvents {
  return {
    sent: { header: buildHeader(prepared), message: buildMessage(app, organization_id, prepared) },
    first: buildFirstMessageUpdate(organization_id, prepared),
  }
}

/** Builds the record's header: the audience and each user's flags. */
function buildHeader({ to, rendered, readers, echo, sentAt }: PreparedMessage): Header {
  const { mentioned, alerted, mentions_wildcard, mentionedBots: calledBots } = rendered
  const people = isStream(to) ? undefined : to.map(({ id }) => id)
  const flagged = mentioned.union(alerted).union(new Set(readers))
  // In a conversation, only members get flags: mentioned groups and matches of common alert words
  // may include many other users. The subscribers of a stream are not known here.
  const present = people ? flagged.intersection(new Set(people)) : flagged
  const own = [...present].map((id) => [
    id,
    [
      ...(readers.includes(id) ? ['read'] : []),
      ...(mentioned.has(id) ? ['mentioned'] : []),
      ...(mentions_wildcard ? ['wildcard_mentioned'] : []),
      ...(alerted.has(id) ? ['has_alert_word'] : []),
    ],
  ])
  return {
    type: 'message',
    to: isStream(to)
      ? { stream: to.id, ...(calledBots.length > 0 && { users: calledBots }) }
      : { users: people ?? [] },
    flags: Object.fromEntries(own),
    ...(mentions_wildcard && { flagsOfAll: ['wildcard_mentioned'] }),
    ...(isStream(to) && !to.invite_only && { isPublic: true }),
    ...(echo && { echo }),
    ...(sentAt !== undefined && { sentAt }),
  }
}

function buildMessage(
  app: ViewContext,
  organization_id: OrganizationId,
  { organization, sender, to, topic, topic_links, content, client, rendered }: PreparedMessage,
): MessageBeforeWrite {
  const { config } = app
  const common = {
    sender_id: sender.id,
    sender_email: displayEmail(config, { ...sender, ...organization }),
    sender_full_name: sender.full_name,
    sender_realm_str: organization.subdomain,
    avatar_url: avatarUrl(app, { ...sender, organization_id }),
    ...(canClientComputeAvatar({ ...sender, ...organization }) && { isAvatarExternal: true as const }),
    client,
    content,
    rendered_content: rendered.html,
    topic_links,
    is_me_message: content.startsWith('/me '),
    reactions: [],
  }
  return isStream(to)
    ? { type: 'stream', ...common, subject: topic, topic, stream_id: to.id, display_recipient: to.name }
    : { type: 'private', ...common, subject: '', display_recipient: viewPeople(config, organization, to) }
}

function buildFirstMessageUpdate(
  organization_id: OrganizationId,
  { to }: PreparedMessage,
): MessageEvents['first'] {
  if (!isStream(to) || to.has_messages) return undefined
  // The statement replaces the value with the message id.
  const change = { property: 'first_message_id', value: 0 }
  const emission = streamUpdated({ ...to, organization_id }, change, getStreamAudience(to))
  return { header: buildRecordHeader(emission), event: emission.event as object }
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
