import type { Event } from '@oxbow/contract'
import type { State } from '@oxbow/sdk/browser'
import { effect, signal } from '@preact/signals'
import { whenSignedIn } from '../account/session.ts'
import { type Connection, connection, hasEnded } from '../connection.ts'
import { randomId } from '../random-id.ts'
import { accountState } from '../store.ts'
import { build } from './build.ts'
import { canMessageTabs, onTabMessage, postToTabs } from './channel.ts'
import { hasLocks, holdLock } from './locks.ts'

/** Events of a queue after a cursor. */
interface Delivery {
  readonly build: string
  readonly queue_id: string
  readonly after: number
  readonly events: readonly Event[]
}

declare module './channel.ts' {
  interface TabMessages {
    /** The leader forwards events. */
    events: Delivery
    /** The leader sends a new state to all tabs, or to one. */
    state: { build: string; state: State; to?: string }
    /** The leader reports the state of its connection, which also shows that it is alive. */
    connection: { build: string; connection: Connection }
    /** A tab requests the events after its cursor from the leader. */
    ask: { build: string; from: string; queue_id?: string; after?: number }
  }
}

/** Sends the leader's state to other tabs, or only the events that led to it from the state at a cursor. */
export type Forward = (state: State, since?: { events: readonly Event[]; after: number }) => void

/** How a tab handles states and events, as leader or follower. */
export interface Tab {
  /** Follows the server until the signal is aborted or the session ends. */
  follow(signal: AbortSignal, forward: Forward): Promise<void>
  replaceState(state: State): void
  /** Applies events that are newer than the state. */
  apply(events: readonly Event[]): void
}

/** Whether tabs of the account can share one connection. Otherwise each has its own. */
export const canShare = canMessageTabs && hasLocks

/** Interval at which a visible tab asks the leader for events that it missed. */
const askMs = 2_500
/** A leader that is silent for this long is considered frozen, and another tab takes over. */
const maxSilenceMs = 5_000
/** Shorter limit for a tab that has nothing to show yet. */
const maxSilenceAtStartMs = 1_500
/** Number of events that the leader keeps for other tabs. */
const maxRecentEvents = 5_000

const ownId = randomId()
const lockName = `leader/${build}`
const leading = signal<AbortController | undefined>(undefined)
/** Time of the last message from the leader, by `performance.now`, which does not jump with the clock. */
let lastMessageAt = 0

/**
 * Whether this tab has its own connection to the server: as leader, or because tabs cannot share one.
 * Reads a signal.
 */
export const isLeading = (): boolean => !canShare || leading.value !== undefined

let writerTerm = 0
let isWriter = false

/**
 * Returns the term of this tab if it is the one that writes to the device's database, and undefined
 * otherwise. The term is a number that changes each time the tab becomes the writer. The writer is elected
 * separately from the leader, because tabs of different builds have separate leaders but share the database.
 */
export const findWriterTerm = (): number | undefined => (isWriter ? writerTerm : undefined)

async function becomeWriter(signal: AbortSignal): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => {
    isWriter = false
    end()
  })
  await holdLock('keeper', {}, () => {
    isWriter = !signal.aborted
    writerTerm++
    return ended
  })
}

/**
 * Elects one tab of the account to follow the server. The others receive events from it; when it is
 * closed, one of them continues after the last event that it received, so that no event is missed.
 * Tabs whose session has ended wait until their account signs in again. Returns when the server refuses to
 * send events.
 */
export async function shareConnection(tab: Tab): Promise<void> {
  let recent: Event[] = []
  let recentAfter = 0
  const forward: Forward = (state, since) => {
    if (!since) {
      recent = []
      recentAfter = state.last_event_id
      postToTabs('state', { build, state })
      return
    }
    const { events, after } = since
    if (recent.length === 0) recentAfter = after
    recent.push(...events)
    recentAfter = recent.splice(0, recent.length - maxRecentEvents).at(-1)?.id ?? recentAfter
    postToTabs('events', { build, queue_id: state.queue_id, after, events })
  }
  const answer = (request: { build: string; from: string; queue_id?: string; after?: number }) => {
    const state = accountState.peek()
    if (!leading.peek() || request.build !== build) return
    postToTabs('connection', { build, connection: connection.peek() })
    if (!state) return
    const { queue_id, after = -1 } = request
    const from = recent.length > 0 ? recentAfter : state.last_event_id
    if (queue_id !== state.queue_id || after < from) postToTabs('state', { build, state, to: request.from })
    else if (after < state.last_event_id)
      postToTabs('events', { build, queue_id, after, events: recent.filter(({ id }) => id > after) })
  }
  const ask = () => {
    const state = accountState.peek()
    const cursor = state && { queue_id: state.queue_id, after: state.last_event_id }
    postToTabs('ask', { build, from: ownId, ...cursor })
  }
  onTabMessage('ask', answer)
  onTabMessage('connection', (message) => {
    if (leading.peek() || hasEnded.peek() || message.build !== build) return
    lastMessageAt = performance.now()
    const { status } = message.connection
    // Each tab finds out itself that its session has ended.
    if (status !== 'signed out' && status !== 'other account') connection.value = message.connection
  })
  onTabMessage('state', ({ build: theirs, state, to }) => {
    if (leading.peek() || hasEnded.peek() || theirs !== build || (to !== undefined && to !== ownId)) return
    lastMessageAt = performance.now()
    tab.replaceState(state)
  })
  onTabMessage('events', ({ build: theirs, queue_id, after, events }) => {
    const state = accountState.peek()
    if (leading.peek() || theirs !== build || !state) return
    lastMessageAt = performance.now()
    if (queue_id !== state.queue_id || after > state.last_event_id) ask()
    else tab.apply(events)
  })
  effect(() => {
    const current = connection.value
    if (leading.peek()) postToTabs('connection', { build, connection: current })
  })
  const lead = async () => {
    recent = []
    const leadership = new AbortController()
    leading.value = leadership
    void becomeWriter(leadership.signal)
    await tab.follow(leadership.signal, (state, since) => {
      if (!leadership.signal.aborted) forward(state, since)
    })
  }
  const stopLeading = () => {
    leading.peek()?.abort()
    leading.value = undefined
  }
  let waiting = new AbortController()
  effect(() => {
    if (hasEnded.value) waiting.abort()
  })
  const watch = setInterval(() => {
    if (leading.peek() || document.visibilityState !== 'visible') lastMessageAt = performance.now()
    else if (performance.now() - lastMessageAt > (accountState.peek() ? maxSilenceMs : maxSilenceAtStartMs))
      waiting.abort()
    else ask()
  }, askMs)
  lastMessageAt = performance.now()
  ask()
  for (let steals = false; ; ) {
    if (hasEnded.peek()) await whenSignedIn().then(ask)
    waiting = new AbortController()
    const isOver = await holdLock(lockName, steals ? { steal: true } : { signal: waiting.signal }, lead)
    if (isOver && !hasEnded.peek()) break
    // Either another tab took the lock because this leader was frozen, or this tab stopped waiting
    // for a frozen leader and takes its lock, or its session has ended.
    steals = waiting.signal.aborted && !leading.peek() && !hasEnded.peek()
    lastMessageAt = performance.now()
    stopLeading()
  }
  clearInterval(watch)
}
