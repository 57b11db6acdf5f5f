import type { BotType, OrganizationId, UserId } from '@oxbow/contract'
import { avatarUrl, canClientComputeAvatar } from '../../accounts/avatar.ts'
import { displayEmail } from '../../accounts/display-email.ts'
import { buildRecordHeader } from '../../events/emit.ts'
import type { Header } from '../../events/record.ts'
import type { App } from '../../platform/app.ts'
import { getStreamAudience } from '../../streams/audiences.ts'
import { streamUpdated } from '../../streams/events.ts'
import type { RenderedContent } from '../content/message-text.ts'
import type { MessageBeforeWrite } from '../message-event-shape.ts'
import { viewPeople } from '../views.ts'
import type { RecipientState, SendPreconditions, TargetStream } from './preconditions.ts'

/** The fields of the sender that readers see. */
export interface SenderView {
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
  /** JSON of the widget that the message was sent with. */
  widget?: string | undefined
  readers: readonly UserId[]
  echo?: Header['echo'] | undefined
  /** Milliseconds since 1970 at which the message began to be sent; for metrics. */
  sentAt?: number
}

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
