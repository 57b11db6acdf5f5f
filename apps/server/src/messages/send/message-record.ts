import type { OrganizationId, UserId } from '@oxbow/contract'
import { avatarUrl, canClientComputeAvatar } from '../../accounts/avatar.ts'
import { displayEmail } from '../../accounts/display-email.ts'
import { buildRecordHeader } from '../../events/emit.ts'
import type { Header } from '../../events/record.ts'
import type { App } from '../../platform/app.ts'
import { getStreamAudience } from '../../streams/audiences.ts'
import { streamUpdated } from '../../streams/events.ts'
import type { RenderedContent } from '../content/render-content.ts'
import { viewPeople } from '../views.ts'
import { widgetType } from '../widgets/queries.ts'
import { type Draft, endOfWidgetEvent } from './execute-send.ts'
import type { RecipientState, SendPreconditions, TargetStream } from './preconditions.ts'

/** The sender's fields that readers see. */
export interface SenderView {
  id: UserId
  full_name: string
  delivery_email: string
  bot_type: number | null
  avatar_source: 'external' | 'uploaded'
  avatar_version: number
}

export interface PreparedMessage {
  preconditions: SendPreconditions
  sender: SenderView
  /** The stream, or all members of the conversation. */
  to: TargetStream | readonly RecipientState[]
  topic: string
  topic_links: readonly string[]
  content: string
  client: string
  rendered: RenderedContent
  /** JSON of the widget that the message begins with. */
  widget?: string | undefined
  readers: readonly UserId[]
  echo?: Header['echo'] | undefined
}

type ViewContext = Pick<App, 'config' | 'secrets'>

const isStream = (to: PreparedMessage['to']): to is TargetStream => !Array.isArray(to)

/** Builds the record's header: the audience and each user's flags. */
function buildHeader({ to, rendered, readers, echo }: PreparedMessage): Header {
  const { mentioned, alerted, mentions_wildcard, mentionedBots: calledBots } = rendered
  const people = isStream(to) ? undefined : to.map(({ id }) => id)
  const flagged = mentioned.union(alerted).union(new Set(readers))
  // A mentioned group may be large and common alert words match many users, few of whom are in a
  // conversation. The subscribers of a stream are not known here.
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
  }
}

/**
 * Users who see the stream without being subscribed are notified only of its first message, which
 * lists of streams contain.
 */
function buildFirstMessageUpdate(organization_id: OrganizationId, { to }: PreparedMessage): Draft['first'] {
  if (!isStream(to) || to.has_messages) return undefined
  const change = { property: 'first_message_id', value: 0 }
  const emission = streamUpdated({ ...to, organization_id }, change, getStreamAudience(to))
  const event = JSON.stringify(emission.event)
  return { header: buildRecordHeader(emission), eventBeforeId: event.slice(0, -'0}'.length) }
}

export function buildDraft(app: ViewContext, organization_id: OrganizationId, sent: PreparedMessage): Draft {
  return {
    ...sent,
    header: buildHeader(sent),
    restOfEvent: buildRestOfEvent(app, organization_id, sent),
    first: buildFirstMessageUpdate(organization_id, sent),
  }
}

/**
 * Builds the message of the event except for the fields that only the database knows. The event's
 * shape turns it into what each queue gets.
 */
function buildRestOfEvent(
  app: ViewContext,
  organization_id: OrganizationId,
  { preconditions, sender, to, topic, topic_links, content, client, rendered, widget }: PreparedMessage,
): string {
  const { config } = app
  const { organization } = preconditions
  const message = {
    type: isStream(to) ? 'stream' : 'private',
    sender_id: sender.id,
    sender_email: displayEmail(config, { ...sender, ...organization } as never),
    sender_full_name: sender.full_name,
    sender_realm_str: organization.subdomain,
    avatar_url: avatarUrl(app, { ...sender, organization_id }),
    ...(canClientComputeAvatar({ ...sender, ...organization }) && { isAvatarExternal: true }),
    client,
    content,
    rendered_content: rendered.html,
    subject: topic,
    ...(isStream(to) && { topic, stream_id: to.id }),
    topic_links,
    display_recipient: isStream(to) ? to.name : viewPeople(config, organization, to),
    is_me_message: content.startsWith('/me '),
    reactions: [],
    // The event's shape adds the message's id.
    submessages:
      widget === undefined ? [] : [{ sender_id: sender.id, msg_type: widgetType, content: widget, id: 0 }],
  }
  const text = `${JSON.stringify(message).slice(1)}}`
  return widget === undefined ? text : text.slice(0, -`0${endOfWidgetEvent}`.length)
}
