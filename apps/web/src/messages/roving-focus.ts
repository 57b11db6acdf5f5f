import type { ListModel } from './list-model.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'

/** Space between the focused row and the edge of the view, which sticky bars cover. */
const marginPx = 48

/**
 * Makes one row of a list a tab stop; arrows and letters move the focus between rows. Letters work
 * while no field has the focus.
 */
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
        const row = (target as Element).closest<HTMLElement>('[data-id]')
        if (row) this.#setCurrent(row)
      },
      { signal: ended },
    )
  }

  /** Makes sure that one row is a tab stop. */
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
    const isInside = this.#scroller.contains(target) || target === document.body || target.id === 'main'
    const move = moves[event.key]
    if (!move || (!isInside && event.key.length > 1)) return
    event.preventDefault()
    if (move === 'start' || move === 'end') void this.#model.go(move)
    else this.#step(move)
  }

  #step(step: 1 | -1): void {
    const { rows } = this.#keeper
    const focused = document.activeElement?.closest<HTMLElement>('[data-id]')
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

const moves: Readonly<Record<string, 1 | -1 | 'start' | 'end'>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  Home: 'start',
  End: 'end',
  G: 'end',
}

/** Whether an element takes keys as text. */
export const isTyping = (target: Element): boolean =>
  target.closest('input, textarea, select, [contenteditable], [role=menu], [role=listbox]') !== null
