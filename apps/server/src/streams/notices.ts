import { randomUUID } from 'node:crypto'
import {
  isResolvedTopic,
  type MessageId,
  type OrganizationId,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import type { SystemBot } from '../identity/accounts/queries.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue, type JobName } from '../platform/jobs/jobs.ts'
import {
  joinReferences,
  joinTexts,
  linkStream,
  mention,
  type NamedStream,
  type NoticeReferences,
  type NoticeText,
  notice,
  type Person,
  silentMention,
} from './notice-text.ts'

/** A message of a system bot to users or to a topic. */
export type Notice = NoticeDestination & { content: NoticeText }
type NoticeDestination = { users: UserId[] } | { stream_id: StreamId; topic: string }
/** A notice in the data of a job, with the Markdown of its text. */
export type QueuedNotice = NoticeDestination & { content: string }

/**
 * The notices of one request, in the order of sending. By default they are marked as read for the
 * user who made the request.
 */
export interface Notices {
  /** Makes the job idempotent, because it may run twice. */
  id: string
  organization_id: OrganizationId
  read_by: UserId
  /** Whether the notices are unread for the user who made the request, too. */
  isNews?: boolean
  /** The bot that sends the notices; the notification bot by default. */
  from?: SystemBot
  notices: QueuedNotice[]
  /**
   * People and streams that the notices mention and link. They are found even if they have other names
   * by the time of sending. Absent in jobs of releases that did not add it.
   */
  references?: NoticeReferences
}

/**
 * The job that sends notices, queued in the transaction of the change. Code in `streams` cannot
 * send messages itself, because it may not import from `messages`.
 */
export const sendNotices: JobName<Notices> = { name: 'send-notices' }

/**
 * The job that sends notices of a bot other than the notification bot. It has a separate name, so
 * that nodes of the previous release do not run it: they would send the notices as the notification
 * bot.
 */
export const sendNoticesOfBot: JobName<Notices> = { name: 'send-notices-of-bot' }

export async function enqueueNotices(
  tx: Tx,
  organization_id: OrganizationId,
  by: Pick<Person, 'id'>,
  notices: Notice[],
  { isNews = false, from }: Pick<Notices, 'isNews' | 'from'> = {},
): Promise<void> {
  if (notices.length === 0) return
  const call = {
    id: randomUUID(),
    organization_id,
    read_by: by.id,
    ...(isNews && { isNews }),
    ...(from && { from }),
  }
  const queued = notices.map(({ content, ...to }): QueuedNotice => ({ ...to, content: content.markdown }))
  const references = joinReferences(notices.map(({ content }) => content))
  await enqueue(tx, from ? sendNoticesOfBot : sendNotices, { ...call, notices: queued, references })
}

const eventsTopic = 'stream events'

export function buildCreationNotice(stream_id: StreamId, by: Person): Notice {
  return { stream_id, topic: eventsTopic, content: notice`Stream created by ${silentMention(by)}.` }
}

export function buildRenameNotice(stream_id: StreamId, by: Person, old: string, name: string): Notice {
  return {
    stream_id,
    topic: eventsTopic,
    content: notice`${silentMention(by)} renamed stream **${old}** to **${name}**.`,
  }
}

/** Builds the announcement of new streams for the organization's notifications stream. */
export function buildNewStreamsNotice(
  stream_id: StreamId,
  by: Person,
  created: readonly NamedStream[],
): Notice {
  const links = joinTexts(created.map(linkStream), ', ')
  const streams =
    created.length === 1 ? notice`a new stream ${links}` : notice`the following streams: ${links}`
  return { stream_id, topic: 'new streams', content: notice`${silentMention(by)} created ${streams}.` }
}

/** Builds the announcement of a new user for the organization's sign-up stream. */
export function buildSignupNotice(stream_id: StreamId, newcomer: Person, people: number): Notice {
  const content = notice`${silentMention(newcomer)} just signed up for Oxbow. (total: ${people})`
  return { stream_id, topic: 'signups', content }
}

/** Builds the notice for users who were subscribed by someone else. */
export function buildSubscriptionNotice(
  users: UserId[],
  by: Person,
  streams: readonly NamedStream[],
): Notice {
  const links = streams.map(linkStream)
  const content =
    links.length === 1
      ? notice`${mention(by)} subscribed you to the stream ${joinTexts(links, ', ')}.`
      : notice`${mention(by)} subscribed you to the following streams:\n\n${list(links)}`
  return { users, content }
}

const list = (items: readonly NoticeText[]): NoticeText =>
  joinTexts(
    items.map((item) => notice`* ${item}`),
    '\n',
  )

/** A topic of a stream. */
export interface TopicLocation {
  stream_id: StreamId
  topic: string
}

/**
 * Builds the notice in the topic that messages were moved to. It names neither the old stream nor
 * the old topic, which guests among the readers may not know.
 */
export function buildMovedHereNotice(by: Person, to: TopicLocation): Notice {
  return { ...to, content: notice`This topic was moved here from another stream by ${silentMention(by)}` }
}

/**
 * Builds the notice in the topic that messages were moved from. It links to the first moved
 * message, which only readers of the new stream can open. The link reveals nothing to other users.
 */
export function buildMovedAwayNotice(by: Person, from: TopicLocation, first: MessageId): Notice {
  const content = notice`This topic was moved by ${silentMention(by)} to [another stream](#narrow/near/${first})`
  return { ...from, content }
}

/** Builds the notice in a topic that was resolved, or opened again, under its new name. */
export function buildResolveNotice(by: Person, to: TopicLocation): Notice {
  const content = isResolvedTopic(to.topic)
    ? notice`${silentMention(by)} has marked this topic as resolved.`
    : notice`${silentMention(by)} has marked this topic as unresolved.`
  return { ...to, content }
}
