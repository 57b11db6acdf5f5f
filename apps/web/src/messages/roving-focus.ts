import { singleKeys } from '../client/device/device-settings.ts'
import { isSingleKey, nameKey } from '../ui/key-binding.ts'
import { listKeys, type Move } from './list-keys.ts'
import type { ListModel } from './list-model.ts'
import { rowSelector, type ScrollKeeper } from './scroll-keeper.ts'

/**
 * Minimum distance between the focused row and the edge of the view, because sticky bars cover the
 * edge.
 */
const marginPx = 48

/** Makes one row of a list a tab stop. Arrow keys and letters move the focus between rows. */
export class RovingFocus {
  readonly #scroller: HTMLElement
  readonly #keeper: ScrollKeeper
  readonly #model: ListModel
  #current: HTMLElement | undefined

  constructor(scroller: HTMLElement, keeper: ScrollKeeper, model: ListModel) {
    this.#scroller = scroller
    this.#keeper = keeper
    this.#model = model
  }

  start(ended: AbortSignal): void {
    addEventListener('keydown', (event) => this.#onKey(event), { signal: ended })
    this.#scroller.addEventListener(
      'focusin',
      ({ target }) => {
        const row = (target as Element).closest<HTMLElement>(rowSelector)
        if (row) this.#setCurrent(row)
      },
      { signal: ended },
    )
  }

  /** Makes the last row the tab stop if the current one was removed. Call it after rendering. */
  update(): void {
    if (!this.#current?.isConnected) this.#setCurrent(this.#keeper.rows.at(-1))
  }

  #setCurrent(row: HTMLElement | undefined): void {
    const article = this.#current?.querySelector('article')
    if (article) article.tabIndex = -1
    this.#current = row
    const next = row?.querySelector('article')
    if (next) next.tabIndex = 0
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target as Element
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(target) || document.querySelector('dialog[open], [popover]:popover-open:not(.Tooltip)'))
      return
    const name = nameKey(event)
    const move = moves.get(name)
    if (!move || !this.#movesFocus(name, target)) return
    event.preventDefault()
    this.#go(move)
  }

  /**
   * Returns whether a key moves the focus. Letters always do, unless the user disabled single keys. Other
   * keys also press buttons or scroll, so they do only while the list or the whole page has the focus.
   */
  #movesFocus(name: string, target: Element): boolean {
    if (isSingleKey(name)) return singleKeys.peek()
    if (name === 'Space') return target.matches('article, body, #main')
    return this.#scroller.contains(target) || target === document.body || target.id === 'main'
  }

  #go(move: Move): void {
    if (move === 'start' || move === 'end') void this.#model.go(move)
    else if (move === 'up' || move === 'down') this.#step(move === 'up' ? -1 : 1)
    else this.#page(move === 'page up' ? -1 : 1)
  }

  /**
   * Scrolls by almost a screen, and focuses the first visible row when moving up, or the last when
   * moving down.
   */
  #page(step: 1 | -1): void {
    this.#scroller.scrollTop += step * this.#scroller.clientHeight * 0.85
    const visible = this.#keeper.listVisible()
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const fullyVisible = visible.filter((row) => {
      const box = row.getBoundingClientRect()
      return box.top >= top && box.bottom <= bottom
    })
    const next = (fullyVisible.length > 0 ? fullyVisible : visible).at(step === 1 ? -1 : 0)
    next?.querySelector('article')?.focus({ preventScroll: true })
  }

  #step(step: 1 | -1): void {
    const { rows } = this.#keeper
    const focused = document.activeElement?.closest<HTMLElement>(rowSelector)
    const index = focused ? rows.indexOf(focused) : -1
    const visible = this.#keeper.listVisible()
    const next = index === -1 ? visible.at(step === 1 ? 0 : -1) : rows[index + step]
    if (!next) return
    next.querySelector('article')?.focus({ preventScroll: true })
    this.#reveal(next)
  }

  #reveal(row: HTMLElement): void {
    const view = this.#scroller.getBoundingClientRect()
    const box = row.getBoundingClientRect()
    const above = view.top + marginPx - box.top
    const below = box.bottom + marginPx / 2 - view.bottom
    if (above > 0) this.#scroller.scrollTop -= above
    else if (below > 0) this.#scroller.scrollTop += Math.min(below, -above)
  }
}

const moves: ReadonlyMap<string, Move> = new Map(
  listKeys.flatMap(({ keys, move }) => keys.map((key) => [key, move] as const)),
)

/** Returns whether an element handles typed letters itself: a field, a menu or a listbox. */
export const isTyping = (target: Element): boolean =>
  target.closest('input, textarea, select, [contenteditable], [role=menu], [role=listbox]') !== null
