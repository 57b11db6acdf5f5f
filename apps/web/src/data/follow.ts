import { applyEvent, type Followed, type Follower, followEvents, wakeWithBrowser } from '@oxbow/sdk/browser'
import { batch } from '@preact/signals'
import { onTabMessage, postToTabs } from '../device/channel.ts'
import { deleteStoredData } from '../device/device.ts'
import { readStoredState, startStoring } from '../device/keep-state.ts'
import type { Kept } from '../device/kept.ts'
import { canShare, type Forward, shareConnection } from '../device/tabs.ts'
import { afterPaint } from './after-paint.ts'
import { clientOptions } from './client.ts'
import { noteEnd, noteSuccess, noteTrouble } from './connection.ts'
import { announceFollowed } from './events.ts'
import { type FirstPage, toMessageFetch } from './first-page.ts'
import { registration } from './registration.ts'
import { base } from './store.ts'

export { type Connection, connection } from './connection.ts'

declare module '../device/channel.ts' {
  interface TabMessages {
    /** A tab asks the leader to reconnect, because events do not arrive. */
    reconnect: null
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
export function reconnect(): void {
  if (follower) follower.reconnect()
  else postToTabs('reconnect', null)
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
  if (!canShare) return followServer(firstPage, new AbortController().signal)
  await shareConnection({
    follow: (signal, forward) => followServer(firstPage, signal, forward),
    replaceState: (state) => show([{ kind: 'state', state }]),
    apply: (events) =>
      batch(() => {
        for (const event of events) {
          const before = base.peek()
          if (!before || event.id <= before.last_event_id) continue
          const state = { ...applyEvent(before, event, registration), last_event_id: event.id }
          show([{ kind: 'event', event, state }])
        }
      }),
  })
}

/** Follows the server's events. With a stored state, starts after its last event. */
async function followServer(
  firstPage: FirstPage | undefined,
  signal: AbortSignal,
  forward?: Forward,
): Promise<void> {
  const resume = base.peek()
  const events = followEvents(clientOptions, {
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
      const before = base.peek()
      if (before && before.user_id !== followed.state.user_id) return await startAnew()
      show(together)
      noteSuccess()
      const shown = together.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
      if (followed.kind === 'state') forward?.(followed.state)
      else forward?.(followed.state, { events: shown, after: before?.last_event_id ?? 0 })
      together = []
      // Meanwhile further events collect in the connection, so a busy page renders once per frame.
      if (document.visibilityState === 'visible') await new Promise<void>(afterPaint)
    }
  } catch (error) {
    noteEnd(error)
  } finally {
    follower = undefined
    stopWaking()
  }
}

function show(together: readonly Followed[], kept?: Kept): void {
  batch(() => {
    for (const followed of together) {
      base.value = followed.state
      announceFollowed(followed, kept)
    }
  })
}

/** Removes all data of the previous account, because another account has signed in to this browser. */
async function startAnew(): Promise<void> {
  await deleteStoredData()
  location.reload()
}
