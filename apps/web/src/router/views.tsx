import type { ComponentType } from 'preact'
import { Conversation } from '../views/Conversation.tsx'
import { Inbox } from '../views/Inbox.tsx'
import { NotBuilt } from '../views/NotBuilt.tsx'
import { lazyView } from './lazy-view.tsx'
import type { Route } from './route.ts'
import { route } from './router.ts'

/**
 * The component of each view. Views beyond the first screen are chunks of their own:
 * `lazyView(() => import('../views/Recent.tsx').then(({ Recent }) => Recent))`.
 */
const views: Readonly<Partial<Record<Route['view'], ComponentType>>> = {
  home: Inbox,
  inbox: Inbox,
  narrow: Conversation,
  unknown: Inbox,
  drafts: lazyView(() => import('../views/Drafts.tsx').then(({ Drafts }) => Drafts)),
}

/** Shows the view of the present route. */
export function View() {
  const Shown = views[route.value.view] ?? NotBuilt
  return <Shown />
}
