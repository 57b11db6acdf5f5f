import { findConversation, type Route } from '../client/route/route.ts'
import { openRoute } from '../client/route/router.ts'
import { isPhone } from '../frame/panes.ts'
import { focusComposer } from './focus.ts'

/** Opens a view and focuses it: in a conversation, the composer, except on phones. */
export function openView(route: Route): void {
  openRoute(route)
  const wantsComposer = findConversation(route) !== undefined && !isPhone.peek()
  // Waits for the next frame, which renders the view. The element that had the focus before the
  // dialog may be gone.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      document.getElementById('main')?.focus()
      if (wantsComposer) focusComposer()
    }),
  )
}
