import type { StreamId } from '@oxbow/contract'
import type { State } from './state.ts'

export type IsMuted = (stream: StreamId, topic: string) => boolean

/** Whether the state says what is muted. Where it does not, nothing counts as muted that is told from now on. */
export function knowsMuting({ subscriptions, muted_topics }: State): boolean {
  return subscriptions !== undefined && muted_topics !== undefined
}

/** Looks nothing up until it is asked: most events are about nothing that could be muted. */
export function mutingOf(state: State): IsMuted {
  let muted: Muted | undefined
  return (stream, topic) => {
    muted ??= readMuted(state)
    return muted.streams.has(stream) || Boolean(muted.topics.get(stream)?.has(topic.toLowerCase()))
  }
}

interface Muted {
  streams: ReadonlySet<StreamId>
  /** In lower case, as their case does not matter. */
  topics: ReadonlyMap<StreamId, ReadonlySet<string>>
}

function readMuted(state: State): Muted {
  const { subscriptions = [], muted_topics = [] } = knowsMuting(state) ? state : {}
  const streams = subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id)
  const topics = new Map<string, Set<string>>()
  for (const [name, topic] of muted_topics) {
    topics.set(name, (topics.get(name) ?? new Set()).add(topic.toLowerCase()))
  }
  const byId = subscriptions.flatMap(({ stream_id, name }) => {
    const muted = topics.get(name)
    return muted ? [[stream_id, muted] as const] : []
  })
  return { streams: new Set(streams), topics: new Map(byId) }
}
