import { focusComposer } from '../composer/focus.ts'
import { routeOfTarget } from '../composer/target-route.ts'
import { runCommand } from '../keys/dispatch.ts'
import { filterRoute, findConversation, privateRoute, type Route, streamRoute } from '../router/route.ts'
import { openRoute } from '../router/router.ts'
import { isPhone } from '../shell/panes.ts'
import type { JumpRow } from './sections.ts'

/** Returns the route of a row; undefined for a command that opens no view. */
export function routeOfRow(row: JumpRow): Route | undefined {
  switch (row.kind) {
    case 'conversation':
      return routeOfTarget(row.conversation.target)
    case 'person':
      return privateRoute([row.person.user_id], row.person.full_name)
    case 'stream':
      return streamRoute({ stream_id: row.stream.stream_id, name: row.stream.name })
    case 'search':
      return filterRoute('search', row.text)
    case 'command':
      return typeof row.command.does === 'function' ? undefined : row.command.does
  }
}

/** Opens the view of a row, or runs its command. */
export function openRow(row: JumpRow): void {
  const route = routeOfRow(row)
  if (route) openView(route)
  else if (row.kind === 'command') runCommand(row.command)
}

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
