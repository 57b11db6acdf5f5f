import type { StreamId, UserId } from '@oxbow/contract'
import { Attention } from '@oxbow/contract/plain'
import { createMuteCheck, findPolicy, type IsMuted, listAttendedStreams } from '../state/muting.ts'
import type { State } from '../state/state.ts'

interface StreamAccess {
  isSubscribed: boolean
  isPublic: boolean
  sharesHistory: boolean
}

/** The data of the account and its streams that windows depend on. */
export interface AccountView {
  readonly userId: UserId | undefined
  readonly isGuest: boolean
  /**
   * Whether the account is not subscribed to some public stream. Messages that it received may be there, because it
   * left the stream or they were moved, and it gets no events about their changes.
   */
  readonly missesPublicStream: boolean
  /** Whether the account muted or follows topics of streams that it is not subscribed to. */
  readonly attendsTopicsElsewhere: boolean
  readonly isMuted: IsMuted
  /** Returns whether the account follows the topic; undefined if the state does not contain it. */
  readonly isFollowed: (stream: StreamId, topic: string) => boolean | undefined
  isSubscribed(stream: StreamId): boolean
  isPublic(stream: StreamId): boolean
  /** Returns whether the account may read messages of the stream that it has not received. */
  canReadHistory(stream: StreamId): boolean
}

/**
 * Returns a function that reads the account from the state. Reading is repeated only if a relevant
 * part of the state changed, because an organization may have ten thousand streams.
 */
export function createAccountReader(): (state: State) => AccountView {
  let last: { state: State; view: AccountView } | undefined
  return (state) => {
    const isSame = last && watched.every((name) => last?.state[name] === state[name])
    if (!last || !isSame) last = { state, view: readAccount(state) }
    return last.view
  }
}

const watched = [
  'user_id',
  'is_guest',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
  'muted_topics',
  'user_topics',
] as const satisfies (keyof State)[]

function readAccount(state: State): AccountView {
  const { user_id: userId, is_guest: isGuest = false, user_topics } = state
  const { unsubscribed = [], never_subscribed = [] } = state
  let streams: ReadonlyMap<StreamId, StreamAccess> | undefined
  const find = (id: StreamId) => {
    streams ??= readStreams(state)
    return streams.get(id)
  }
  return {
    userId,
    isGuest,
    missesPublicStream: unsubscribed.some(isPublic) || never_subscribed.some(isPublic),
    get attendsTopicsElsewhere() {
      return listAttendedStreams(state).some((id) => !find(id)?.isSubscribed)
    },
    isMuted: createMuteCheck(state),
    isFollowed: (stream, topic) => user_topics && findPolicy(state, stream, topic) === Attention.followed,
    isSubscribed: (id) => find(id)?.isSubscribed ?? false,
    isPublic: (id) => find(id)?.isPublic ?? false,
    canReadHistory(id) {
      const stream = find(id)
      return Boolean(stream?.sharesHistory && (stream.isSubscribed || (stream.isPublic && !isGuest)))
    },
  }
}

const isPublic = ({ invite_only }: { invite_only: boolean }): boolean => !invite_only

function readStreams({ subscriptions = [], unsubscribed = [], never_subscribed = [] }: State) {
  const streams = new Map<StreamId, StreamAccess>()
  const add = (list: readonly (typeof never_subscribed)[number][], isSubscribed: boolean) => {
    for (const { stream_id, invite_only, history_public_to_subscribers } of list)
      streams.set(stream_id, {
        isSubscribed,
        isPublic: !invite_only,
        sharesHistory: history_public_to_subscribers,
      })
  }
  add(never_subscribed, false)
  add(unsubscribed, false)
  add(subscriptions, true)
  return streams
}
