import assert from 'node:assert/strict'
import type { UnreadMessages } from '@oxbow/contract'
import type { State } from '@oxbow/sdk'
import type { Message } from '../model/model.ts'
import { isMuted, type Muted, mutedTopic, type Viewer } from '../model/narrows.ts'

/** Returns the muted streams and topics of the server's state. The model does not cover muting. */
export function mutedIn(state: State): Muted {
  const subscriptions = state.subscriptions ?? []
  const streams = [...subscriptions, ...(state.unsubscribed ?? []), ...(state.never_subscribed ?? [])]
  const idOf = (name: string) => streams.find((stream) => stream.name === name)?.stream_id ?? 0
  return new Set([
    ...subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => String(stream_id)),
    ...(state.muted_topics ?? []).map(([name, topic]) => mutedTopic(idOf(name), topic)),
  ])
}

export function unreadIn({ unread_msgs }: State): Set<number> {
  const { pms = [], streams = [], huddles = [] } = unread_msgs ?? {}
  return new Set([...pms, ...streams, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids))
}

/** Asserts that a new state lists exactly the model's unread and starred messages. */
export function checkState(viewer: Viewer, state: State): void {
  const { model, name } = viewer
  const messages = [...model.messages.values()].sort((a, b) => a.id - b.id)
  const unread = messages.filter(({ unreadBy }) => unreadBy.has(name))
  assert.deepEqual(state.unread_msgs, unreadState(viewer, unread), `${name}: unread_msgs`)
  const starred = messages.filter(({ notes }) => notes.get(name)?.isStarred)
  assert.deepEqual(state.starred_messages, idsOf(starred), `${name}: starred_messages`)
}

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id)
const ascending = (a: number, b: number) => a - b
const byText = (a: string, b: string) => (a < b ? -1 : 1)

function unreadState(viewer: Viewer, unread: readonly Message[]): UnreadMessages {
  const { name, idOf } = viewer
  const others = ({ people }: Message) => (people ?? []).filter((person) => person !== name).map(idOf)
  const inStreams = unread.filter(({ people }) => !people)
  const withOne = unread.filter(({ people }) => people && people.length <= 2)
  const withMany = unread.filter(({ people }) => people && people.length > 2)
  const isMentioned = ({ notes }: Message) => notes.get(name)?.isMentioned ?? false
  const toAll = unread.filter((message) => message.text.mentionsAll && !isMentioned(message))
  const topics = Map.groupBy(inStreams, ({ streamId, topic }) => `${String(streamId).padStart(12)} ${topic}`)
  const pairs = Map.groupBy(withOne, (message) => others(message)[0] ?? idOf(name))
  const groups = Map.groupBy(withMany, ({ people }) => (people ?? []).map(idOf).sort(ascending).join())
  return {
    count: unread.filter((message) => !isMuted(viewer, message)).length,
    pms: [...pairs]
      .sort(([a], [b]) => a - b)
      .map(([sender_id, list]) => ({ sender_id, unread_message_ids: idsOf(list) })),
    streams: [...topics]
      .sort(([a], [b]) => byText(a, b))
      .map(([, list]) => ({
        stream_id: list[0]?.streamId,
        topic: list[0]?.topic,
        unread_message_ids: idsOf(list),
        sender_ids: [...new Set(list.map(({ sender }) => idOf(sender)))].sort(ascending),
      })),
    huddles: [...groups]
      .sort(([a], [b]) => byText(a, b))
      .map(([user_ids_string, list]) => ({ user_ids_string, unread_message_ids: idsOf(list) })),
    mentions: idsOf(
      unread.filter(
        (message) => isMentioned(message) || (toAll.includes(message) && !isMuted(viewer, message)),
      ),
    ),
    wildcard_mentions: idsOf(toAll),
  } as UnreadMessages
}
