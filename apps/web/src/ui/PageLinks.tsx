import './PageLinks.css'

export interface PageLink {
  href: string
  text: string
  /** A number after the text. */
  count?: number
  isCurrent: boolean
}

/** Links between the pages of a view, side by side. */
export function PageLinks({ label, links }: { label: string; links: readonly PageLink[] }) {
  return (
    <nav class="PageLinks" aria-label={label}>
      {links.map(({ href, text, count, isCurrent }) => (
        <a key={href} class="PageLinks-link" href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="PageLinks-count">{count.toLocaleString()}</span>}
        </a>
      ))}
    </nav>
  )
}
