import './FixedList.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { findNextRow, findRowRange, scrollTopFor } from './fixed-list.ts'

export interface FixedListProps<Item> {
  label: string
  items: readonly Item[]
  /** Height of each row in pixels. */
  rowHeight: number
  keyOf: (item: Item) => string | number
  /**
   * Renders a row. Controls in it must be tab stops only while the row is active: give them
   * `tabIndex={isActive ? 0 : -1}`.
   */
  children: (item: Item, isActive: boolean) => ComponentChildren
  /** Called with the row on Enter, or on a click that hits no control of the row. */
  onChoose?: (item: Item, row: HTMLElement) => void
  /** Called when the last row is nearly visible, and again after items were added. */
  onNearEnd?: () => void
}

/**
 * A list of any length with rows of one height, which renders only the visible ones. Arrows,
 * PageUp, PageDown, Home and End move the focus; screen readers announce the whole length.
 */
export function FixedList<Item>({
  label,
  items,
  rowHeight,
  keyOf,
  children,
  onChoose,
  onNearEnd,
}: FixedListProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ scrollTop: 0, height: 600 })
  const [active, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const { first, last } = findRowRange(view.scrollTop, view.height, rowHeight, items.length)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setView({ scrollTop: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const isNearEnd = last === items.length
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, items.length])
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const row = box.current?.querySelector<HTMLElement>(`[aria-posinset="${active + 1}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })
  const handleKey = (event: KeyboardEvent) => {
    const next = findNextRow(event.key, active, Math.floor(view.height / rowHeight), items.length)
    const item = items[active]
    if (event.key === 'Enter' && item !== undefined && event.target === event.currentTarget)
      onChoose?.(item, event.currentTarget as HTMLElement)
    if (next === undefined || !box.current) return
    event.preventDefault()
    wantsFocus.current = true
    setActive(next)
    box.current.scrollTop = scrollTopFor(next, box.current.scrollTop, box.current.clientHeight, rowHeight)
  }
  return (
    <div
      ref={box}
      class="FixedList"
      onScroll={({ currentTarget }) =>
        setView({ scrollTop: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <ul
        class="FixedList-rows"
        aria-label={label}
        style={{ blockSize: `${items.length * rowHeight}px`, paddingBlockStart: `${first * rowHeight}px` }}
      >
        {items.slice(first, last).map((item, offset) => {
          const index = first + offset
          const isActive = index === Math.min(Math.max(active, first), last - 1)
          return (
            <li
              key={keyOf(item)}
              class="FixedList-row"
              style={{ blockSize: `${rowHeight}px` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              tabIndex={isActive ? 0 : -1}
              onFocus={() => setActive(index)}
              onKeyDown={handleKey}
              onClick={({ target, currentTarget }) => {
                if (!(target as Element).closest('a, button')) onChoose?.(item, currentTarget)
              }}
            >
              {children(item, isActive)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
