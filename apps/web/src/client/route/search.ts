import { signal } from '@preact/signals'
import type { Term } from './route.ts'
import { openRoute, route } from './router.ts'

/** Terms of the view from which the search was opened. The user can limit the search to them. */
export const searchOrigin = signal<readonly Term[]>([])

/** Terms with which the next search begins. */
export const firstTerms = signal<readonly Term[]>([])

/** Opens the search, or focuses its field if it is open. `terms` replace the terms of the search. */
export function openSearch(terms: readonly Term[] = []): void {
  const field = document.querySelector<HTMLInputElement>('.SearchField-input')
  if (field && terms.length === 0) {
    field.focus()
    return
  }
  const { view } = route.peek()
  searchOrigin.value = view === 'narrow' ? termsOfView() : []
  firstTerms.value = terms
  openRoute({ view: 'search' })
}

/** Returns the terms of the current view, without the words that it searches for. */
export function termsOfView(): readonly Term[] {
  const current = route.peek()
  if (current.view !== 'narrow') return []
  return current.terms.filter(({ operator }) => operator !== 'search')
}
