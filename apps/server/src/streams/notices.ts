import { randomUUID } from 'node:crypto'
import type { MessageId, OrganizationId, StreamId, UserId } from '@oxbow/contract'
import type { SystemBot } from '../accounts/queries.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { enqueue, type JobName } from '../platform/jobs.ts'

/** A message of a system bot to users or to a topic. */
export type Notice =
  | { users: UserId[]; content: string }
  | { stream_id: StreamId; topic: string; content: string }

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
  notices: Notice[]
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

export type Person = Pick<UserRow, 'id' | 'full_name'>

export const buildSilentMention = ({ id, full_name }: Person) => `@_**${full_name}|${id}**`
/** Breaks mention syntax in a text, so that a notice mentions nobody. */
export const escapeMentions = (text: string): string => text.replace(/@(?=_?\*)/g, '@\u200b')
const formatLink = ({ name }: { name: string }) => `#**${name}**`

export async function enqueueNotices(
  tx: Tx,
  organization_id: OrganizationId,
  by: Person,
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
  await enqueue(tx, from ? sendNoticesOfBot : sendNotices, { ...call, notices })
}

const eventsTopic = 'stream events'

export function buildCreationNotice(stream_id: StreamId, by: Person): Notice {
  return { stream_id, topic: eventsTopic, content: `Stream created by ${buildSilentMention(by)}.` }
}

export function buildRenameNotice(stream_id: StreamId, by: Person, old: string, name: string): Notice {
  return {
    stream_id,
    topic: eventsTopic,
    content: `${buildSilentMention(by)} renamed stream **${old}** to **${name}**.`,
  }
}

/** Builds the announcement of new streams for the organization's notifications stream. */
export function buildNewStreamsNotice(
  stream_id: StreamId,
  by: Person,
  created: readonly { name: string }[],
): Notice {
  const [first, ...others] = created.map(formatLink)
  const noticeText =
    others.length === 0 ? `a new stream ${first}` : `the following streams: ${[first, ...others].join(', ')}`
  return { stream_id, topic: 'new streams', content: `${buildSilentMention(by)} created ${noticeText}.` }
}

/** Builds the announcement of a new user for the organization's sign-up stream. */
export function buildSignupNotice(stream_id: StreamId, newcomer: Person, people: number): Notice {
  const content = `${buildSilentMention(newcomer)} just signed up for Oxbow. (total: ${people})`
  return { stream_id, topic: 'signups', content }
}

/** Builds the notice for users who were subscribed by someone else. */
export function buildSubscriptionNotice(
  users: UserId[],
  by: Person,
  streams: readonly { name: string }[],
): Notice {
  const [first, ...others] = streams.map(formatLink)
  const content =
    others.length === 0
      ? `@**${by.full_name}** subscribed you to the stream ${first}.`
      : `@**${by.full_name}** subscribed you to the following streams:\n\n${[first, ...others].map((name) => `* ${name}`).join('\n')}`
  return { users, content }
}

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
  return { ...to, content: `This topic was moved here from another stream by ${buildSilentMention(by)}` }
}

/**
 * Builds the notice in the topic that messages were moved from. It links to the first moved
 * message, which only readers of the new stream can open. The link reveals nothing to other users.
 */
export function buildMovedAwayNotice(by: Person, from: TopicLocation, first: MessageId): Notice {
  const content = `This topic was moved by ${buildSilentMention(by)} to [another stream](#narrow/near/${first})`
  return { ...from, content }
}
