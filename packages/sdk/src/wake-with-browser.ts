import type { Follower } from './events/follow-events.ts'

/**
 * The part of a browser's `window` that is used here. It is not a DOM type, because this file is
 * also checked for Node.
 */
export interface BrowserWindow {
  readonly document: ListeningTarget & { readonly visibilityState: string }
  addEventListener: ListeningTarget['addEventListener']
  removeEventListener: ListeningTarget['removeEventListener']
}

interface ListeningTarget {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}

const clockCheckMs = 1_000
/** If a timer is this late, the machine or the tab was asleep. */
const maxClockJumpMs = 75_000

/**
 * Ends the waits of a follower when the page becomes visible again. When the network is back, or
 * after a sleep of the machine or the tab, it also opens a new connection. Returns a function that
 * stops this.
 */
export function wakeWithBrowser(
  follower: Pick<Follower, 'wake' | 'reconnect'>,
  window = globalThis as unknown as BrowserWindow,
): () => void {
  const { document } = window
  let lastCheckAt = Date.now()
  const checkClock = () => {
    const now = Date.now()
    if (now - lastCheckAt > maxClockJumpMs) follower.reconnect()
    lastCheckAt = now
  }
  const onOnline = () => follower.reconnect()
  const onVisibility = () => {
    if (document.visibilityState !== 'visible') return
    checkClock()
    follower.wake()
  }
  const timer = setInterval(checkClock, clockCheckMs)
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
