import { computed, signal } from '@preact/signals'
import { parseHash, writeHash } from './hash.ts'
import type { Route } from './route.ts'

const current = signal<Route>({ view: 'home' })

/** The current route. */
export const route = computed(() => current.value)

/** Follows the URL. A fragment in an old form is replaced by the current one. */
export function startRouter(): void {
  const read = () => {
    const found = parseHash(location.hash)
    const hash = writeHash(found)
    if (found.view !== 'unknown' && hash !== location.hash) replaceRoute(found)
    else if (hash !== writeHash(current.value)) current.value = found
  }
  addEventListener('hashchange', read)
  addEventListener('popstate', read)
  read()
}

/** Navigates to a route like a link, with a new entry in the history. */
export function openRoute(next: Route): void {
  location.hash = writeHash(next)
}

/** Opens a fragment that the client wrote earlier, such as the one in a notification. */
export function openHash(hash: string): void {
  location.hash = hash
}

/** Replaces the route without a new history entry, for example when the target of a link has moved. */
export function replaceRoute(next: Route): void {
  history.replaceState(history.state, '', location.pathname + location.search + writeHash(next))
  current.value = next
}
