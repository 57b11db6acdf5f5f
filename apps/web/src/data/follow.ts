import { applyEvent, type Followed, followEvents, wakeWithBrowser } from '@oxbow/sdk/browser'
import { batch } from '@preact/signals'
import { forgetDevice } from '../device/device.ts'
import { readKept, startKeeping } from '../device/keep-state.ts'
import type { Kept } from '../device/kept.ts'
import { canShare, shareConnection } from '../device/tabs.ts'
import { clientOptions } from './client.ts'
import { noteEnd, noteSuccess, noteTrouble } from './connection.ts'
import { announceFollowed } from './events.ts'
import { type FirstPage, toMessageFetch } from './first-page.ts'
import { registration } from './registration.ts'
import { base } from './store.ts'

export { type Connection, connection } from './connection.ts'

/**
 * Shows the state that the device has stored, and keeps the store up to date until the session
 * ends. One tab is connected to the server and forwards events to the others. The first request
 * fetches the state and the messages of the first view; it is skipped while the queue of a stored
 * state is alive.
 */
export async function startFollowing(firstPage: FirstPage | undefined): Promise<void> {
  const kept = await readKept()
  if (kept) show({ kind: 'state', state: kept.state }, kept)
  startKeeping()
  if (!canShare) return followServer(firstPage, new AbortController().signal)
  await shareConnection({
    follow: (signal, onFollowed) => followServer(firstPage, signal, onFollowed),
    replaceState: (state) => show({ kind: 'state', state }),
    apply: (events) =>
      batch(() => {
        for (const event of events) {
          const before = base.peek()
          if (!before || event.id <= before.last_event_id) continue
          const state = { ...applyEvent(before, event, registration), last_event_id: event.id }
          show({ kind: 'event', event, state })
        }
      }),
  })
}

/** Follows the server's events; if there is a state, starting after its last event. */
async function followServer(
  firstPage: FirstPage | undefined,
  signal: AbortSignal,
  onFollowed?: (followed: Followed, after: number) => void,
): Promise<void> {
  const resume = base.peek()
  const events = followEvents(clientOptions, {
    registration: { ...registration, ...(firstPage && { fetch_messages: toMessageFetch(firstPage) }) },
    transport: 'stream',
    keepsQueue: canShare,
    ...(resume && { resume }),
    signal,
    onTrouble: noteTrouble,
    onRecovered: noteSuccess,
  })
  const stopWaking = wakeWithBrowser(events)
  try {
    for await (const followed of events) {
      // Another tab has become the leader, and this one has the events that it forwarded.
      if (signal.aborted) return
      const before = base.peek()
      if (before && before.user_id !== followed.state.user_id) return await startAnew()
      show(followed)
      noteSuccess()
      onFollowed?.(followed, before?.last_event_id ?? 0)
    }
  } catch (error) {
    noteEnd(error)
  } finally {
    stopWaking()
  }
}

function show(followed: Followed, kept?: Kept): void {
  batch(() => {
    base.value = followed.state
    announceFollowed(followed, kept)
  })
}

/** Another account has signed in to this browser, so all data of the previous one must be removed. */
async function startAnew(): Promise<void> {
  await forgetDevice()
  location.reload()
}
