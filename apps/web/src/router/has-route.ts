import type { Route } from './route.ts'

type View = Route['view']

let built: {
  readonly views: readonly string[]
  readonly pages: Readonly<Record<string, readonly string[]>>
} = { views: [], pages: {} }

/** Declares which views exist, and which pages of views with several pages. `views.tsx` calls it once. */
export function declareViews(
  views: readonly string[],
  pages: Readonly<Record<string, readonly string[]>>,
): void {
  built = { views, pages }
}

/** Whether the client has this view. Links to missing views are left out. */
export const hasView = (view: View): boolean => built.views.includes(view)

/** Whether the client has the view, and the page if the route names one. */
export function hasRoute(to: Route): boolean {
  const pages = built.pages[to.view]
  return hasView(to.view) && (!pages || !('page' in to) || pages.includes(to.page ?? ''))
}
