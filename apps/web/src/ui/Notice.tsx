import './Notice.css'
import type { ComponentChildren } from 'preact'

/** A short message, shown beside the content that it concerns. */
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
