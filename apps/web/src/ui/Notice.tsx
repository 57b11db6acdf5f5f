import './Notice.css'
import type { ComponentChildren } from 'preact'

/** A sentence that stands in the place that it is about. */
export function Notice({
  look = 'usual',
  children,
}: {
  look?: 'usual' | 'danger' | 'warning' | 'success'
  children: ComponentChildren
}) {
  return (
    <div class={`Notice Notice-${look}`} role="status">
      {children}
    </div>
  )
}
