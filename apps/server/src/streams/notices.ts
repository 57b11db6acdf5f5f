import { randomUUID } from 'node:crypto'
import type { MessageId, OrganizationId, StreamId, UserId } from '@oxbow/contract'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { enqueue, type JobName } from '../platform/jobs.ts'

/** What the notification bot has to say: to people, or in a topic of a stream. */
export type Notice =
  | { users: UserId[]; content: string }
  | { stream_id: StreamId; topic: string; content: string }

/** The notices of one call, in order. Whoever made the call has read them. */
export interface Notices {
  /** Tells it from all others: a job may run twice. */
  id: string
  organization_id: OrganizationId
  read_by: UserId
  /** Not even whoever made the call has read them. */
  isNews?: boolean
  notices: Notice[]
}

/** Streams stand left of messages and cannot send any: they leave word, in the same transaction. */
export const sendNotices: JobName<Notices> = { name: 'send-notices' }

export type Person = Pick<UserRow, 'id' | 'full_name'>

export const silentMention = ({ id, full_name }: Person) => `@_**${full_name}|${id}**`
const link = ({ name }: { name: string }) => `#**${name}**`

export async function leaveNotices(
  tx: Tx,
  organization_id: OrganizationId,
  by: Person,
  notices: Notice[],
  { isNews = false } = {},
): Promise<void> {
  if (notices.length === 0) return
  const call = { id: randomUUID(), organization_id, read_by: by.id, ...(isNews && { isNews }) }
  await enqueue(tx, sendNotices, { ...call, notices })
}

const eventsTopic = 'stream events'

export function noticeOfCreation(stream_id: StreamId, by: Person): Notice {
  return { stream_id, topic: eventsTopic, content: `Stream created by ${silentMention(by)}.` }
}

export function noticeOfNewName(stream_id: StreamId, by: Person, old: string, name: string): Notice {
  return {
    stream_id,
    topic: eventsTopic,
    content: `${silentMention(by)} renamed stream **${old}** to **${name}**.`,
  }
}

/** Where the organization wants to hear of new streams. */
export function noticeOfNewStreams(
  stream_id: StreamId,
  by: Person,
  created: readonly { name: string }[],
): Notice {
  const [first, ...others] = created.map(link)
  const what =
    others.length === 0 ? `a new stream ${first}` : `the following streams: ${[first, ...others].join(', ')}`
  return { stream_id, topic: 'new streams', content: `${silentMention(by)} created ${what}.` }
}

/** Where the organization wants to hear of new people. */
export function noticeOfSignup(stream_id: StreamId, newcomer: Person, people: number): Notice {
  const content = `${silentMention(newcomer)} just signed up for Oxbow. (total: ${people})`
  return { stream_id, topic: 'signups', content }
}

/** To people whom someone else subscribed. */
export function noticeOfSubscription(
  users: UserId[],
  by: Person,
  streams: readonly { name: string }[],
): Notice {
  const [first, ...others] = streams.map(link)
  const content =
    others.length === 0
      ? `@**${by.full_name}** subscribed you to the stream ${first}.`
      : `@**${by.full_name}** subscribed you to the following streams:\n\n${[first, ...others].map((each) => `* ${each}`).join('\n')}`
  return { users, content }
}

/** A topic of a stream. */
export interface TopicPlace {
  stream_id: StreamId
  topic: string
}

/**
 * Where messages were moved to. It names neither the stream nor the topic that they come from: guests read the notice
 * who must not know them.
 */
export function noticeOfArrival(by: Person, to: TopicPlace): Notice {
  return { ...to, content: `This topic was moved here from another stream by ${silentMention(by)}` }
}

/** Where they were before. The link leads readers of the new stream to the first of them, and says nothing to others. */
export function noticeOfLeaving(by: Person, from: TopicPlace, first: MessageId): Notice {
  const content = `This topic was moved by ${silentMention(by)} to [another stream](#narrow/near/${first})`
  return { ...from, content }
}
