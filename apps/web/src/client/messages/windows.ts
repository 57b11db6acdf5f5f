import type { MessageId, UserId } from '@oxbow/contract'
import type { State } from '@oxbow/sdk'
import {
  type Anchor,
  createWindows,
  type MessageWindow,
  type OpenWindow,
  type Segment,
  type StoredWindow,
  showMessage,
  type Term,
  type WindowMessage,
  type Windows,
} from '@oxbow/sdk/windows'
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { client } from '../client.ts'
import { hasEnded } from '../connection.ts'
import { onFollowed } from '../events.ts'
import type { FirstPage } from '../first-page.ts'
import { pendingEvents } from '../pending.ts'
import { isTemporary, waitToRetry } from '../wait-to-retry.ts'

let windows: Windows | undefined
const messages = new Map<MessageId, Signal<WindowMessage | undefined>>()
const shown = new Map<OpenWindow, () => void>()

/** Increases when messages are moved to another conversation, which changes how lists group them. */
export const moves = signal(0)

/** The window of the messages that were fetched with the state, until the first view shows it. */
let firstWindow: OpenWindow | undefined

/** Keeps the windows up to date with the server's events, and drops them when the session has ended. */
export function startWindows(firstPage: FirstPage | undefined): void {
  effect(() => {
    if (!hasEnded.value) return
    windows = undefined
    firstWindow = undefined
    messages.clear()
  })
  onFollowed((followed, kept) => {
    if (followed.kind === 'event') windows?.apply(followed.event, followed.state)
    else if (windows) windows.replaceState(followed.state)
    else {
      windows = makeWindows(followed.state)
      if (kept) windows.restore(kept.windows, kept)
      if (firstPage && followed.fetched_messages)
        firstWindow = windows.open(firstPage.narrow, firstPage.anchor, followed.fetched_messages)
    }
  })
}

function makeWindows(state: State): Windows {
  const started = createWindows({
    state,
    fetch: (request) => client.messages.list(request),
    match: async (ids, narrow) =>
      (await client.messages.matchesNarrow({ msg_ids: [...ids], narrow })).messages,
  })
  started.subscribe((change) =>
    batch(() => {
      windowChanges.value++
      for (const id of change.messages) {
        const known = messages.get(id)
        if (!known) continue
        const [before, after] = [known.peek(), started.message(id)]
        known.value = after
        if (before?.topic !== after?.topic || before?.stream_id !== after?.stream_id) moves.value++
      }
      for (const view of change.windows) {
        shown.get(view)?.()
        if (view.current.error !== undefined) void retry(view)
      }
    }),
  )
  return started
}

const retryingWindows = new Set<OpenWindow>()

/** Fetches a window again until it succeeds, if its request failed for a temporary reason. */
async function retry(view: OpenWindow): Promise<void> {
  if (retryingWindows.has(view)) return
  retryingWindows.add(view)
  const isToRetry = () => shown.has(view) && view.current.error !== undefined
  for (let failures = 1; isToRetry() && isTemporary(view.current.error); failures++) {
    await waitToRetry(failures, view.current.error)
    // Ignored here, because `view.current.error` has the failure.
    if (isToRetry()) await view.refresh().catch(() => {})
  }
  retryingWindows.delete(view)
}

/** Lists the windows that the device should store. */
export function listStorableWindows(limits: { maxWindows: number; maxMessages: number }): StoredWindow[] {
  return windows?.listStorable(limits) ?? []
}

/** Returns a message as the server sent it, without pending changes. */
export const confirmedMessage = (id: MessageId): WindowMessage | undefined => windows?.message(id)

/** Increases with every change of the windows. */
export const windowChanges = signal(0)

/** A window that a view shows. */
export interface ShownWindow {
  readonly current: ReadonlySignal<MessageWindow>
  /** The loaded messages around the scroll position, without gaps; undefined until they are fetched. */
  readonly segment: ReadonlySignal<Segment | undefined>
  /** Sets the scroll position, around which loaded messages are kept. */
  setAnchor(id: number): void
  fetchOlder(): Promise<void>
  fetchNewer(): Promise<void>
  refresh(): Promise<void>
  /** Fetches another part of the window, which becomes the shown segment. */
  jump(anchor: Anchor): Promise<void>
  close(): void
}

/** Opens the window of a narrow around an anchor. The state must have been received. */
export function showWindow(narrow: readonly Term[], anchor: Anchor): ShownWindow {
  if (!windows) throw new Error('The state has not been received')
  const all = windows
  const version = signal(0)
  const show = (at: Anchor) => {
    const opened = all.open(narrow, at)
    shown.set(opened, () => version.value++)
    return opened
  }
  const hide = (opened: OpenWindow) => {
    shown.delete(opened)
    opened.close()
  }
  let view = show(anchor)
  firstWindow?.close()
  firstWindow = undefined
  return {
    current: computed(() => {
      version.value
      return view.current
    }),
    segment: computed(() => {
      version.value
      return view.segment
    }),
    setAnchor(id) {
      view.anchor = id
    },
    fetchOlder: () => view.fetchOlder(),
    fetchNewer: () => view.fetchNewer(),
    refresh: () => view.refresh(),
    async jump(at) {
      const next = show(at)
      hide(view)
      view = next
      await next.loaded
      version.value++
    },
    close() {
      hide(view)
      for (const id of messages.keys()) if (!all.message(id)) messages.delete(id)
    },
  }
}

/** Returns a signal with a message and its pending changes. */
export function findMessage(id: MessageId): ReadonlySignal<WindowMessage | undefined> {
  const known = messages.get(id) ?? signal(windows?.message(id))
  messages.set(id, known)
  return computed(() => known.value && showMessage(known.value, pendingEvents.value))
}

/** Returns a message with its pending changes, without subscribing to it. */
export const peekMessage = (id: MessageId): WindowMessage | undefined => {
  const message = windows?.message(id)
  return message && showMessage(message, pendingEvents.peek())
}

/** Returns the name of a user as given in fetched messages. */
export const nameInMessages = (user_id: UserId): string | undefined => windows?.nameOf(user_id)
