import { signal } from '@preact/signals'
import type { Term } from '../router/route.ts'
import { openRoute, route } from '../router/router.ts'

/** Terms of the view from which the search was opened: the search can be limited to it. */
export const searchOrigin = signal<readonly Term[]>([])

/** Terms with which the next search begins. */
export const firstTerms = signal<readonly Term[]>([])

/** Opens the search, or goes to its field if it is open. With `terms`, it begins with them. */
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

/** Terms of the present view, without texts that are searched for. */
export function termsOfView(): readonly Term[] {
  const current = route.peek()
  if (current.view !== 'narrow') return []
  return current.terms.filter(({ operator }) => operator !== 'search')
}
