import { computed, signal } from '@preact/signals'
import { findConversation } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'

/** Whether the nav covers the view, which happens in browser windows that are too narrow for both. */
export const isNavOpen = signal(false)

/**
 * Whether the browser window is so narrow that it shows one pane at a time. The style sheet has the
 * same limit.
 */
export const isPhone = signal(false)

/** Follows the width of the browser window; Esc closes a nav that covers the view. */
export function startPanes(): void {
  const narrow = matchMedia('(width < 40rem)')
  const note = () => {
    isPhone.value = narrow.matches
  }
  narrow.addEventListener('change', note)
  note()
  const wide = matchMedia('(width >= 80rem)')
  const noteWide = () => {
    isWide.value = wide.matches
    isSideOpen.value = wide.matches && recallSide()
  }
  wide.addEventListener('change', noteWide)
  noteWide()
  addEventListener('keydown', (event) => {
    const { key, code, target } = event
    if (key === 'Escape') isNavOpen.value = false
    if (key === 'Escape' && target instanceof Element && target.closest('.App-side')) uncoverView()
    if (code === 'Backslash' && event.shiftKey && (event.ctrlKey || event.metaKey) && hasSide.peek()) {
      event.preventDefault()
      toggleSide()
    }
  })
}

/** Whether the current view has a side pane. */
export const hasSide = computed(() => findConversation(route.value) !== undefined)

/** Whether the side pane is shown. */
export const isSideOpen = signal(false)

/** Whether a view with the side pane beside it has room enough to be read as usual. */
const isWide = signal(false)

const sideEntry = 'oxbow.side'

/** Shows or hides the side pane; if there is room enough for it, the choice is stored on this device. */
export function toggleSide(): void {
  isSideOpen.value = !isSideOpen.value
  if (!isWide.peek()) return
  try {
    localStorage.setItem(sideEntry, isSideOpen.value ? 'open' : 'closed')
  } catch {
    // Storage is disabled in this browser.
  }
}

/** Closes a side pane that covers the view, or leaves it little room. */
export function uncoverView(): void {
  if (!isWide.peek()) isSideOpen.value = false
}

function recallSide(): boolean {
  try {
    return localStorage.getItem(sideEntry) === 'open'
  } catch {
    return false
  }
}
