import type { ComponentType } from 'preact'
import { homeView } from '../client/device/device-settings.ts'
import { declareViews, hasRoute } from '../client/route/has-route.ts'
import { filterRoute, type Route } from '../client/route/route.ts'
import { replaceRoute, route } from '../client/route/router.ts'
import { Drafts } from '../composer/Drafts.tsx'
import { Conversation } from '../conversation/Conversation.tsx'
import { Inbox } from '../conversation/Inbox.tsx'
import { lazyView } from '../frame/lazy-view.tsx'
import { hasSide, isPhone } from '../frame/panes.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { builtPages } from '../settings/built-pages.ts'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'

/**
 * The component of each view. Views beyond the first screen are separate chunks: `lazyView(() =>
 * import('../conversation/Recent.tsx').then(({ Recent }) => Recent))`.
 */
const views: Readonly<Partial<Record<Route['view'], ComponentType>>> = {
  home: Inbox,
  inbox: Inbox,
  narrow: Conversation,
  unknown: Inbox,
  drafts: Drafts,
  stream: lazyView(() => import('../streams/StreamDetails.tsx').then(({ StreamDetails }) => StreamDetails)),
  topics: lazyView(() => import('../streams/StreamTopics.tsx').then(({ StreamTopics }) => StreamTopics)),
  streams: lazyView(() => import('../streams/Streams.tsx').then(({ Streams }) => Streams)),
  scheduled: lazyView(() => import('../composer/Scheduled.tsx').then(({ Scheduled }) => Scheduled)),
  people: lazyView(() => import('../people/People.tsx').then(({ People }) => People)),
  person: lazyView(() => import('../people/Profile.tsx').then(({ Profile }) => Profile)),
  organization: lazyView(() =>
    import('../organization/Organization.tsx').then(({ Organization }) => Organization),
  ),
  recent: lazyView(() => import('../conversation/Recent.tsx').then(({ Recent }) => Recent)),
  search: lazyView(() => import('../search/Search.tsx').then(({ Search }) => Search)),
  bot: lazyView(() => import('../bots/BotView.tsx').then(({ BotView }) => BotView)),
  settings: lazyView(() => import('./Settings.tsx').then(({ Settings }) => Settings)),
}

declareViews(Object.keys(views), builtPages)

const ConversationSide = lazyView(() =>
  import('../conversation/ConversationSide.tsx').then((module) => module.ConversationSide),
)

/** Returns the component of the current view's side pane; undefined if the view has none. */
export const findSide = (): ComponentType | undefined => (hasSide.value ? ConversationSide : undefined)

/** Shows the view of the current route. */
export function View() {
  const Shown = (hasRoute(route.value) && views[route.value.view]) || NotBuilt
  return <Shown />
}

/** Shown for views that the client does not have yet. */
function NotBuilt() {
  return (
    <ViewFrame title={t('view.not_built_title')}>
      <Empty icon="message-square" title={t('view.not_built_title')} text={t('view.not_built')} />
    </ViewFrame>
  )
}

/**
 * Opens the home view chosen on this device, if the URL names no view. On phones the nav is shown
 * first.
 */
export function openHome(): void {
  if (route.peek().view !== 'home' || isPhone.peek()) return
  if (homeView.peek() === 'all') replaceRoute(filterRoute('in', 'home'))
}
