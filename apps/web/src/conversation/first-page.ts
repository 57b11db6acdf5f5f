import type { FirstPage } from '../client/first-page.ts'
import type { Route } from '../client/route/route.ts'
import { readSavedScroll } from '../messages/saved-scroll.ts'
import { marksRead, readView } from './conversation-view.ts'

/**
 * Returns the request for the first messages of a route. Undefined if it cannot be built from the URL
 * alone, as for dates, or for old links that name a stream without its id.
 */
export function findFirstPage(route: Route): FirstPage | undefined {
  if (route.view !== 'narrow' || route.at.date !== undefined) return undefined
  const view = readView(route, () => undefined)
  if (!view) return undefined
  const near = readSavedScroll()?.id ?? route.at.near
  return { narrow: view.narrow, anchor: near ?? (marksRead(view.list) ? 'first_unread' : 'newest') }
}
