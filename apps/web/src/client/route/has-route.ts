import type { Route } from './route.ts'

type View = Route['view']

let built: {
  readonly views: readonly string[]
  readonly pages: Readonly<Record<string, readonly string[]>>
} = { views: [], pages: {} }

/** Declares the views of the client, and the pages of views that have several. `views.tsx` calls it once. */
export function declareViews(
  views: readonly string[],
  pages: Readonly<Record<string, readonly string[]>>,
): void {
  built = { views, pages }
}

/** Returns whether the client has this view. Links to missing views are not shown. */
export const hasView = (view: View): boolean => built.views.includes(view)

/** Returns whether the client has the view of a route, and its page if the route names one. */
export function hasRoute(to: Route): boolean {
  const pages = built.pages[to.view]
  return hasView(to.view) && (!pages || !('page' in to) || pages.includes(to.page ?? ''))
}
