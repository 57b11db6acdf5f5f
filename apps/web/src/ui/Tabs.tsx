import './Tabs.css'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { findNextItem } from './menu-keys.ts'

interface Tab {
  id: string
  text: string
  content: () => ComponentChildren
}

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string
  tabs: readonly Tab[]
  selected: string
  onSelect: (id: string) => void
}

/**
 * Tabs, as the ARIA practices define them: arrow keys, Home and End select, and the list is a
 * single tab stop.
 */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = tabs.find(({ id }) => id === selected) ?? tabs[0]
  const move = (event: KeyboardEvent) => {
    const isRtl = getComputedStyle(event.currentTarget as Element).direction === 'rtl'
    const next = findNextItem(
      asVertical(event.key, isRtl),
      tabs.findIndex(({ id }) => id === shown?.id),
      tabs.map(({ text }) => text),
    )
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next ?? 0]?.focus()
  }
  return (
    <div class="Tabs">
      <div ref={list} class="Tabs-list" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            class="Tabs-tab"
            role="tab"
            id={`${prefix}-${tab.id}`}
            aria-selected={tab === shown}
            aria-controls={tab === shown ? `${prefix}-panel` : undefined}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.text}
          </button>
        ))}
      </div>
      <div
        class="Tabs-panel"
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-${shown?.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the practices ask for it, so that text without controls is reached.
        tabIndex={0}
      >
        {shown?.content()}
      </div>
    </div>
  )
}

/** Maps horizontal arrow keys to vertical ones, according to the direction of the text. */
function asVertical(key: string, isRtl: boolean): string {
  if (key === 'ArrowRight') return isRtl ? 'ArrowUp' : 'ArrowDown'
  if (key === 'ArrowLeft') return isRtl ? 'ArrowDown' : 'ArrowUp'
  return key.startsWith('Arrow') ? '' : key
}
