import './PageLinks.css'
import { useEffect, useRef } from 'preact/hooks'

export interface PageLink {
  href: string
  text: string
  /** A number after the text. */
  count?: number
  isCurrent: boolean
}

/** Links between the pages of a view, side by side. */
export function PageLinks({ label, links }: { label: string; links: readonly PageLink[] }) {
  const nav = useRef<HTMLElement>(null)
  const current = links.find(({ isCurrent }) => isCurrent)?.href
  // Narrow browser windows do not show all links at once.
  useEffect(() => {
    if (current)
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav ref={nav} class="PageLinks" aria-label={label}>
      {links.map(({ href, text, count, isCurrent }) => (
        <a key={href} class="PageLinks-link" href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="PageLinks-count">{count.toLocaleString()}</span>}
        </a>
      ))}
    </nav>
  )
}
