import type { ComponentType } from 'preact'
import { builtPages } from '../settings/built-pages.ts'
import { hasSide } from '../shell/panes.ts'
import { Conversation } from '../views/Conversation.tsx'
import { Drafts } from '../views/Drafts.tsx'
import { Inbox } from '../views/Inbox.tsx'
import { NotBuilt } from '../views/NotBuilt.tsx'
import { declareViews, hasRoute } from './has-route.ts'
import { lazyView } from './lazy-view.tsx'
import type { Route } from './route.ts'
import { route } from './router.ts'

export { hasRoute, hasView } from './has-route.ts'

/**
 * The component of each view. Views beyond the first screen are separate chunks: `lazyView(() =>
 * import('../views/Recent.tsx').then(({ Recent }) => Recent))`.
 */
const views: Readonly<Partial<Record<Route['view'], ComponentType>>> = {
  home: Inbox,
  inbox: Inbox,
  narrow: Conversation,
  unknown: Inbox,
  drafts: Drafts,
  stream: lazyView(() => import('../views/StreamDetails.tsx').then(({ StreamDetails }) => StreamDetails)),
  topics: lazyView(() => import('../views/StreamTopics.tsx').then(({ StreamTopics }) => StreamTopics)),
  streams: lazyView(() => import('../views/Streams.tsx').then(({ Streams }) => Streams)),
  scheduled: lazyView(() => import('../views/Scheduled.tsx').then(({ Scheduled }) => Scheduled)),
  people: lazyView(() => import('../views/People.tsx').then(({ People }) => People)),
  person: lazyView(() => import('../views/Profile.tsx').then(({ Profile }) => Profile)),
  organization: lazyView(() =>
    import('../organization/Organization.tsx').then(({ Organization }) => Organization),
  ),
  recent: lazyView(() => import('../views/Recent.tsx').then(({ Recent }) => Recent)),
  search: lazyView(() => import('../views/Search.tsx').then(({ Search }) => Search)),
  bot: lazyView(() => import('../bots/BotView.tsx').then(({ BotView }) => BotView)),
  settings: lazyView(() => import('../settings/Settings.tsx').then(({ Settings }) => Settings)),
}

declareViews(Object.keys(views), builtPages)

const ConversationSide = lazyView(() =>
  import('../views/ConversationSide.tsx').then((module) => module.ConversationSide),
)

/** Returns the component of the current view's side pane; undefined if the view has none. */
export const findSide = (): ComponentType | undefined => (hasSide.value ? ConversationSide : undefined)

/** Shows the view of the current route. */
export function View() {
  const Shown = (hasRoute(route.value) && views[route.value.view]) || NotBuilt
  return <Shown />
}
