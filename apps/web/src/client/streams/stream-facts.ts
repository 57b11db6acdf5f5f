import type { Event, StreamId, UserId } from '@oxbow/contract'
import { client } from '../client.ts'
import { onFollowed } from '../events.ts'
import { makeReader } from '../fact-reader.ts'

/** A topic with the id of its newest message. */
export interface TopicFact {
  readonly name: string
  readonly max_id: number
}

/** The topics of a stream, newest first. */
export const topicsOf = makeReader(async (stream_id: StreamId): Promise<readonly TopicFact[]> => {
  const { topics } = await client.streams.topics({ stream_id })
  return topics
})

/** Ids of a stream's subscribers. */
export const membersOf = makeReader(async (stream_id: StreamId): Promise<ReadonlySet<UserId>> => {
  const { subscribers } = await client.streams.members({ stream_id })
  return new Set(subscribers)
})

/** Keeps fetched facts up to date by events. */
export function startStreamFacts(): void {
  onFollowed((followed) => {
    if (followed.kind === 'event') applyEvent(followed.event)
  })
}

function applyEvent(event: Event): void {
  if (event.type === 'subscription' && (event.op === 'peer_add' || event.op === 'peer_remove'))
    gatherMember(event.stream_id, event.user_id, event.op === 'peer_add')
  else if (event.type === 'subscription' && (event.op === 'add' || event.op === 'remove'))
    for (const { stream_id } of event.subscriptions) membersOf.refresh(stream_id)
  else if (event.type === 'message' && event.message.type === 'stream') noteTopic(event.message)
  else if (event.type === 'update_message' && event.stream_id !== undefined) {
    if (event.orig_subject === undefined && event.new_stream_id === undefined) return
    topicsOf.refresh(event.stream_id)
    if (event.new_stream_id !== undefined) topicsOf.refresh(event.new_stream_id)
  } else if (event.type === 'delete_message' && event.message_type === 'stream')
    topicsOf.refresh(event.stream_id)
}

/**
 * Membership changes by stream and user. They are applied together, because one event may add
 * thousands of people.
 */
const gatheredChanges = new Map<StreamId, Map<UserId, boolean>>()
const gatherMs = 50

function gatherMember(stream_id: StreamId, user_id: UserId, isIn: boolean): void {
  if (gatheredChanges.size === 0) setTimeout(applyGathered, gatherMs)
  const changes = gatheredChanges.get(stream_id) ?? new Map<UserId, boolean>()
  gatheredChanges.set(stream_id, changes.set(user_id, isIn))
}

function applyGathered(): void {
  for (const [stream_id, changes] of gatheredChanges) changeMembers(stream_id, changes)
  gatheredChanges.clear()
}

/** Adds people to, or removes them from, the fetched members of a stream. */
export function changeMembers(stream_id: StreamId, changes: ReadonlyMap<UserId, boolean>): void {
  membersOf.change(stream_id, (members) => {
    const next = new Set(members)
    for (const [user_id, isIn] of changes)
      if (isIn) next.add(user_id)
      else next.delete(user_id)
    return next
  })
}

function noteTopic({ id, stream_id, subject }: { id: number; stream_id?: StreamId; subject: string }): void {
  if (stream_id === undefined) return
  topicsOf.change(stream_id, (topics) => {
    const hasName = ({ name }: TopicFact) => name.toLowerCase() === subject.toLowerCase()
    const known = topics.find(hasName)
    if (known && known.max_id >= id) return topics
    return [{ name: known?.name ?? subject, max_id: id }, ...topics.filter((topic) => topic !== known)]
  })
}
