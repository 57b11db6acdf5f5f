import {
  applyEvent,
  type Followed,
  type Follower,
  followEventsInBrowser,
  wakeWithBrowser,
} from '@oxbow/sdk/browser'
import { batch, effect, signal } from '@preact/signals'
import { checkSession, findUserId, isRefusedSession, whenSignedIn } from './account/session.ts'
import { afterPaint } from './after-paint.ts'
import { clientOptions } from './client.ts'
import { hasEnded, noteRefused, noteSuccess, noteTrouble } from './connection.ts'
import { onTabMessage, postToTabs } from './device/channel.ts'
import { readStoredState, startStoring } from './device/keep-state.ts'
import type { Kept } from './device/kept.ts'
import { canShare, type Forward, shareConnection } from './device/tabs.ts'
import { announceFollowed } from './events.ts'
import { type FirstPage, toMessageFetch } from './first-page.ts'
import { registration } from './registration.ts'
import { accountState } from './store.ts'

declare module './device/channel.ts' {
  interface TabMessages {
    /** A tab asks the leader to reconnect, because events do not arrive. */
    reconnect: null
    /** The leader has received and forwarded all events that the server had. */
    'caught up': null
  }
}

/**
 * Delays after failures are short, because users are waiting. This does not overload a server: browsers
 * slow down the timers of hidden pages, and the server can request longer delays by `Retry-After`.
 */
const backoff = { firstMs: 500, maxMs: 1_500 }

/** The connection of this tab, if it has one. */
let follower: Follower | undefined

/** Opens a new event connection in this tab, or asks the leader tab to do so. */
function reconnect(): void {
  if (follower) follower.reconnect()
  else postToTabs('reconnect', null)
}

/** Increases when this tab has received all events that the server had on a new connection. */
const caughtUp = signal(0)

/** A connection that brings nothing for this long is replaced, because it may be dead. */
const maxSilenceMs = 10_000

/**
 * Resolves when all events that the server has now were received. Opens a new connection, and further ones
 * until the server answers: a network may lose all packets without closing connections.
 */
export async function catchUp(): Promise<void> {
  const before = caughtUp.peek()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = effect(() => {
    if (caughtUp.value > before) resolve()
  })
  reconnect()
  const timer = setInterval(reconnect, maxSilenceMs)
  await promise
  clearInterval(timer)
  stop()
}

/** Records that this tab has received all events that the server had. */
export const noteCaughtUp = (): void => {
  caughtUp.value++
}

/**
 * Shows the state that the device has stored, and keeps the store up to date until the session
 * ends. One tab is connected to the server and forwards events to the others. The first request
 * fetches the state and the messages of the first view; it is skipped while the queue of a stored
 * state is alive.
 */
export async function startFollowing(firstPage: FirstPage | undefined): Promise<void> {
  const kept = await readStoredState()
  if (kept) show([{ kind: 'state', state: kept.state }], kept)
  startStoring()
  onTabMessage('reconnect', () => follower?.reconnect())
  onTabMessage('caught up', noteCaughtUp)
  if (!canShare) return followAlone(firstPage)
  await shareConnection({
    follow: (signal, forward) => followServer(firstPage, signal, forward),
    replaceState: (state) => show([{ kind: 'state', state }]),
    apply: (events) =>
      batch(() => {
        for (const event of events) {
          const before = accountState.peek()
          if (!before || event.id <= before.last_event_id) continue
          const state = { ...applyEvent(before, event, registration), last_event_id: event.id }
          show([{ kind: 'event', event, state }])
        }
      }),
  })
}

/** Follows the server's events without other tabs, also after the account has signed in again. */
async function followAlone(firstPage: FirstPage | undefined): Promise<void> {
  do {
    await whenSignedIn()
    await followServer(firstPage, new AbortController().signal)
  } while (hasEnded.peek())
}

/** A refused connection of a valid session is repeated after this time. */
const refusedMs = 1_000

/**
 * Follows the server's events until the signal is aborted, the session has ended or the server refuses to
 * send them.
 */
async function followServer(
  firstPage: FirstPage | undefined,
  signal: AbortSignal,
  forward?: Forward,
): Promise<void> {
  const ended = new AbortController()
  const stop = effect(() => {
    if (hasEnded.value) ended.abort()
  })
  const either = AbortSignal.any([signal, ended.signal])
  while (!either.aborted) {
    try {
      await followQueue(firstPage, either, forward)
    } catch (error) {
      if (!isRefusedSession(error)) {
        noteRefused(error)
        break
      }
      await checkSession()
      if (!either.aborted) await new Promise((resolve) => setTimeout(resolve, refusedMs))
    }
  }
  stop()
}

/** Follows the events of one queue. With a state, starts after its last event. */
async function followQueue(
  firstPage: FirstPage | undefined,
  signal: AbortSignal,
  forward: Forward | undefined,
): Promise<void> {
  const resume = accountState.peek()
  const events = followEventsInBrowser(clientOptions, {
    registration: { ...registration, ...(firstPage && { fetch_messages: toMessageFetch(firstPage) }) },
    transport: 'stream',
    keepsQueue: canShare,
    // States and events are forwarded to other tabs and stored on the device.
    omitsBotSecrets: true,
    backoff,
    ...(resume && { resume }),
    signal,
    onTrouble: noteTrouble,
    onRecovered: noteSuccess,
    onCaughtUp: () => {
      noteCaughtUp()
      postToTabs('caught up', null)
    },
  })
  const stopWaking = wakeWithBrowser(events)
  follower = events
  let together: Followed[] = []
  try {
    for await (const followed of events) {
      // Another tab has become the leader, and this tab already has the events that it forwarded.
      if (signal.aborted) return
      together.push(followed)
      // Events that arrive together are rendered together: after a sleep there may be thousands.
      if (followed.kind === 'event' && followed.hasMore) continue
      const before = accountState.peek()
      const own = findUserId()
      // A node of an older release does not compare the account.
      if (own !== undefined && own !== followed.state.user_id) return await checkSession()
      show(together)
      noteSuccess()
      const shown = together.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
      if (followed.kind === 'state') forward?.(followed.state)
      else forward?.(followed.state, { events: shown, after: before?.last_event_id ?? 0 })
      together = []
      // Meanwhile further events collect in the connection, so a busy page renders once per frame.
      if (document.visibilityState === 'visible') await new Promise<void>(afterPaint)
    }
  } finally {
    follower = undefined
    stopWaking()
  }
}

function show(together: readonly Followed[], kept?: Kept): void {
  batch(() => {
    for (const followed of together) {
      accountState.value = followed.state
      announceFollowed(followed, kept)
    }
  })
}
