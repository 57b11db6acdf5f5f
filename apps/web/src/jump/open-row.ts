import { routeOfTarget } from '../composer/target-route.ts'
import { runCommand } from '../keys/dispatch.ts'
import { openView } from '../router/open-view.ts'
import { filterRoute, privateRoute, type Route, streamRoute } from '../router/route.ts'
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
