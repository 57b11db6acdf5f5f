import './NavRow.css'
import type { ComponentChildren } from 'preact'
import { writeHash } from '../router/hash.ts'
import type { Route } from '../router/route.ts'
import { route } from '../router/router.ts'

export interface NavRowProps {
  to: Route
  /** Icon, picture or shape before the name. */
  mark: ComponentChildren
  children: ComponentChildren
  /** Counts after the name. */
  counts?: ComponentChildren
  look?: 'usual' | 'strong' | 'muted' | 'inner'
  /** Also current while the URL names one of these. */
  alsoAt?: readonly Route['view'][]
}

/** One line of the nav: a link to a view. */
export function NavRow({ to, mark, children, counts, look = 'usual', alsoAt = [] }: NavRowProps) {
  const href = writeHash(to)
  const isCurrent = writeHash(withoutPlace(route.value)) === href || alsoAt.includes(route.value.view)
  return (
    <a class={`NavRow NavRow-${look}`} href={href} aria-current={isCurrent ? 'page' : undefined}>
      <span class="NavRow-mark">{mark}</span>
      <span class="NavRow-name">{children}</span>
      {counts}
    </a>
  )
}

/** Returns the route of the same view without the place at which its list was opened. */
const withoutPlace = (shown: Route): Route => (shown.view === 'narrow' ? { ...shown, at: {} } : shown)
