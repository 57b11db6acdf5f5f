import type { OrganizationId, UserId } from '@oxbow/contract'
import { headerOf } from '../../events/emit.ts'
import type { Header } from '../../events/record.ts'
import { avatarUrl, mayClientCompute } from '../../organization/avatar.ts'
import { displayEmail } from '../../organization/display-email.ts'
import type { App } from '../../platform/app.ts'
import { whoSees } from '../../streams/audiences.ts'
import { streamUpdated } from '../../streams/events.ts'
import type { RenderedContent } from '../content/render-content.ts'
import { viewPeople } from '../views.ts'
import type { Draft } from './call-send.ts'
import type { Facts, PersonFacts, StreamFacts } from './facts.ts'

/** What is shown of whoever sends. */
export interface ShownSender {
  id: UserId
  full_name: string
  delivery_email: string
  bot_type: number | null
  avatar_source: 'external' | 'uploaded'
  avatar_version: number
}

export interface Sent {
  facts: Facts
  sender: ShownSender
  /** The stream, or everyone in the conversation. */
  to: StreamFacts | readonly PersonFacts[]
  topic: string
  topic_links: readonly string[]
  content: string
  client: string
  rendered: RenderedContent
  readers: readonly UserId[]
  echo?: Header['echo'] | undefined
}

type Rendering = Pick<App, 'config' | 'secrets'>

const isStream = (to: Sent['to']): to is StreamFacts => !Array.isArray(to)

/** Who hears of it, and with which flags. */
function headerOfMessage({ to, rendered, readers, echo }: Sent): Header {
  const { mentioned, alerted, mentions_wildcard, calledBots } = rendered
  const people = isStream(to) ? undefined : to.map(({ id }) => id)
  const noted = mentioned.union(alerted).union(new Set(readers))
  // A group that is mentioned may be large and common words alert many, of whom few are in a conversation. Who is in a
  // stream is not known here.
  const present = people ? noted.intersection(new Set(people)) : noted
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
      : { users: people },
    flags: Object.fromEntries(own),
    ...(mentions_wildcard && { flagsOfAll: ['wildcard_mentioned'] }),
    ...(isStream(to) && !to.invite_only && { isPublic: true }),
    ...(echo && { echo }),
  }
}

/** Whoever sees the stream without being in it hears only of its first message: lists of streams have that. */
function tellingFirst(organization_id: OrganizationId, { to }: Sent): Draft['first'] {
  if (!isStream(to) || to.has_messages) return undefined
  const change = { property: 'first_message_id', value: 0 }
  const emission = streamUpdated({ ...to, organization_id }, change, whoSees(to))
  const event = JSON.stringify(emission.event)
  return { header: headerOf(emission), eventBeforeId: event.slice(0, -'0}'.length) }
}

export function draftOf(app: Rendering, organization_id: OrganizationId, sent: Sent): Draft {
  return {
    ...sent,
    header: headerOfMessage(sent),
    restOfEvent: restOfMessageEvent(app, organization_id, sent),
    first: tellingFirst(organization_id, sent),
  }
}

/** The message of the event but for what only the database knows; the shape of the event makes of it what each queue gets. */
function restOfMessageEvent(
  app: Rendering,
  organization_id: OrganizationId,
  { facts, sender, to, topic, topic_links, content, client, rendered }: Sent,
): string {
  const { config } = app
  const { organization } = facts
  const message = {
    type: isStream(to) ? 'stream' : 'private',
    sender_id: sender.id,
    sender_email: displayEmail(config, { ...sender, ...organization } as never),
    sender_full_name: sender.full_name,
    sender_realm_str: organization.subdomain,
    avatar_url: avatarUrl(app, { ...sender, organization_id }),
    ...(mayClientCompute({ ...sender, ...organization }) && { isAvatarExternal: true }),
    client,
    content,
    rendered_content: rendered.html,
    subject: topic,
    ...(isStream(to) && { topic, stream_id: to.id }),
    topic_links,
    display_recipient: isStream(to) ? to.name : viewPeople(config, organization, to),
    is_me_message: content.startsWith('/me '),
    reactions: [],
    submessages: [],
  }
  return `${JSON.stringify(message).slice(1)}}`
}
