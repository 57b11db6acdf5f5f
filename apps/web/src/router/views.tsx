import type { ComponentType } from 'preact'
import { Conversation } from '../views/Conversation.tsx'
import { Drafts } from '../views/Drafts.tsx'
import { Inbox } from '../views/Inbox.tsx'
import { NotBuilt } from '../views/NotBuilt.tsx'
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
  drafts: Drafts,
}

/** Components of the side pane, for views that have details: people, files, pictures. */
const sides: Readonly<Partial<Record<Route['view'], ComponentType>>> = {}

/** Returns the component of the side pane for the present view; undefined if it has no details. */
export const findSide = (): ComponentType | undefined => sides[route.value.view]

/** Whether the client has this view. Links to other views are left out, so that nobody is led to an empty page. */
export const hasView = (view: Route['view']): boolean => view in views

/** Shows the view of the present route. */
export function View() {
  const Shown = views[route.value.view] ?? NotBuilt
  return <Shown />
}
