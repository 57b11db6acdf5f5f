import './NavRow.css'
import type { ComponentChildren } from 'preact'
import { writeHash } from '../client/route/hash.ts'
import type { Route, Term } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'

export interface NavRowProps {
  to: Route
  /** Icon, picture or shape before the name. */
  mark: ComponentChildren
  children: ComponentChildren
  /** Counts after the name. */
  counts?: ComponentChildren
  look?: 'usual' | 'strong' | 'muted' | 'inner'
  /** Further views for which the link is shown as current. */
  alsoAt?: readonly Route['view'][]
}

/** One line of the nav: a link to a view. */
export function NavRow({ to, mark, children, counts, look = 'usual', alsoAt = [] }: NavRowProps) {
  const href = writeHash(to)
  const isCurrent = isSameView(route.value, to) || alsoAt.includes(route.value.view)
  return (
    <a class={`NavRow NavRow-${look}`} href={href} aria-current={isCurrent ? 'page' : undefined}>
      <span class="NavRow-mark">{mark}</span>
      <span class="Cut NavRow-name">{children}</span>
      {counts}
    </a>
  )
}

/** Whether two routes show the same view, at any scroll position. */
const isSameView = (one: Route, other: Route): boolean =>
  writeHash(withoutNames(one)) === writeHash(withoutNames(other))

/** Removes the names of people, which URLs contain only for readers and which may be outdated. */
function withoutNames(shown: Route): Route {
  if (shown.view !== 'narrow') return shown
  const terms = shown.terms.map(
    (term): Term =>
      term.operator === 'pm-with' && term.operand.user_ids.length > 0
        ? { ...term, operand: { ...term.operand, label: '' } }
        : term,
  )
  return { ...shown, terms, at: {} }
}
