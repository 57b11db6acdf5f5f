import type { Route } from './route.ts'

type View = Route['view']

let built: {
  readonly views: readonly string[]
  readonly pages: Readonly<Record<string, readonly string[]>>
} = { views: [], pages: {} }

/** Says which views exist, and of views with several pages, which pages. `views.tsx` calls it once. */
export function declareViews(
  views: readonly string[],
  pages: Readonly<Record<string, readonly string[]>>,
): void {
  built = { views, pages }
}

/** Whether the client has this view. Links to other views are left out, so that nobody is led to an empty page. */
export const hasView = (view: View): boolean => built.views.includes(view)

/** Whether the client has the view of this route and, if it names one, the page. */
export function hasRoute(to: Route): boolean {
  const pages = built.pages[to.view]
  return hasView(to.view) && (!pages || !('page' in to) || pages.includes(to.page ?? ''))
}
