import type { FirstPage } from '../data/first-page.ts'
import { recallPlace } from '../messages/remember-place.ts'
import type { Route } from '../router/route.ts'
import { marksRead, readView } from './conversation-view.ts'

/**
 * Returns the request for the messages that a route shows first, if the URL alone determines it:
 * old links name streams whose ids only the state has.
 */
export function findFirstPage(route: Route): FirstPage | undefined {
  if (route.view !== 'narrow' || route.at.date !== undefined) return undefined
  const view = readView(route, () => undefined)
  if (!view) return undefined
  const place = recallPlace()?.id ?? route.at.near
  return { narrow: view.narrow, anchor: place ?? (marksRead(view.list) ? 'first_unread' : 'newest') }
}
