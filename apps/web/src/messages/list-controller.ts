import type { MessageId } from '@oxbow/contract'
import { flagBits } from '@oxbow/sdk/windows'
import { type Signal, signal } from '@preact/signals'
import { forgetActiveRow, keepsUnread, noteOutside } from '../data/editing.ts'
import { isPersonMuted } from '../data/muted-people.ts'
import { markRead, sendReadMarks } from '../data/read-marks.ts'
import { ownId } from '../data/store.ts'
import { peekMessage } from '../data/windows.ts'
import { Announcements } from './announcements.ts'
import { foldEvent } from './fold-event.ts'
import type { ListModel, ScrollTarget } from './list-model.ts'
import { RovingFocus } from './roving-focus.ts'
import { saveScroll } from './saved-scroll.ts'
import { ScrollKeeper } from './scroll-keeper.ts'
import { attentionMs, SeenTracker } from './seen.ts'

export interface ListSignals {
  marksRead: boolean
  /** Number of messages that arrived below the visible part. */
  arrived: Signal<number>
  /** Whether the end of the list is far out of view. */
  isFar: Signal<boolean>
}

/** More rows are added when fewer screens than this remain. */
const screensAhead = 2
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Scrolls a list, extends it at its ends, and marks viewed messages as read. */
export class ListController {
  readonly announced = signal('')
  readonly #model: ListModel
  readonly #signals: ListSignals
  readonly #seen = new SeenTracker()
  readonly #announcements = new Announcements(this.announced)
  #scroller: HTMLElement | undefined
  #keeper: ScrollKeeper | undefined
  #focus: RovingFocus | undefined
  #observer: ResizeObserver | undefined
  #ended = new AbortController()
  #scrollTop = 0
  #scrollHeight = 0
  #clientHeight = 0
  #newest: MessageId | undefined
  #seenTimer: ReturnType<typeof setTimeout> | undefined
  #lookFrame: number | undefined
  #lastInput = Date.now()
  #unsentCount = 0
  /** Set for a list opened at a linked message: nothing is marked as read before the first input. */
  #waitsForInput: boolean

  constructor(model: ListModel, signals: ListSignals) {
    this.#model = model
    this.#signals = signals
    this.#waitsForInput = model.scrollTarget?.kind === 'message' && model.scrollTarget.isMarked === true
  }

  attach(scroller: HTMLElement): void {
    keepsUnread.value = false
    this.#scroller = scroller
    const keeper = new ScrollKeeper(scroller)
    this.#keeper = keeper
    this.#focus = new RovingFocus(scroller, keeper, this.#model)
    this.#ended = new AbortController()
    const { signal: ended } = this.#ended
    scroller.addEventListener('scroll', () => this.#onScroll(), { signal: ended, passive: true })
    scroller.addEventListener(foldEvent, () => this.#note(), { signal: ended })
    for (const name of inputs)
      addEventListener(name, () => this.#noteInput(), { signal: ended, passive: true, capture: true })
    for (const name of ['focus', 'blur'] as const)
      addEventListener(name, () => this.#look(), { signal: ended })
    document.addEventListener('visibilitychange', () => this.#look(), { signal: ended })
    this.#focus.start(ended)
    for (const name of ['pointerdown', 'focusin'] as const)
      document.addEventListener(name, noteOutside, { signal: ended, passive: true })
    // Also reports rows that grow later, before they are painted.
    this.#observer = new ResizeObserver(() => this.#keepScroll())
    this.#observer.observe(scroller)
    if (scroller.firstElementChild) this.#observer.observe(scroller.firstElementChild)
  }

  detach(): void {
    this.#ended.abort()
    forgetActiveRow()
    this.#observer?.disconnect()
    clearTimeout(this.#seenTimer)
    if (this.#lookFrame !== undefined) cancelAnimationFrame(this.#lookFrame)
    this.#lookFrame = undefined
    this.#announcements.stop()
    sendReadMarks()
  }

  /** Reads a scroll position that no event has reported yet. */
  beforeChange(): void {
    if (this.#scroller && this.#scroller.scrollTop !== this.#scrollTop) this.#note()
  }

  /** Restores the scroll position after the rows changed. */
  afterChange(): void {
    const keeper = this.#keeper
    if (!keeper) return
    keeper.readRows()
    if (keeper.rows.length === 0) return
    const { scrollTarget } = this.#model
    this.#model.settle(keeper.isAtBottom)
    if (scrollTarget) this.#goTo(scrollTarget)
    else this.#keepScroll()
    this.#countArrived()
    this.#focus?.update()
    this.#extend()
    this.#lookWhenPainted()
  }

  /** Scrolls to the end when the user sends a message. */
  showUnsent(count: number): void {
    if (count > this.#unsentCount) {
      if (this.#model.hasNewest) this.#keeper?.placeAtBottom()
      else void this.#model.go('end')
    }
    this.#unsentCount = count
  }

  #goTo(scrollTarget: ScrollTarget): void {
    const keeper = this.#keeper as ScrollKeeper
    this.#model.scrollTarget = undefined
    const row = 'id' in scrollTarget ? this.#findNear(scrollTarget.id) : undefined
    if (scrollTarget.kind === 'restored' && row) keeper.placeRow(row, scrollTarget.top)
    else if (scrollTarget.kind === 'message' && row) {
      keeper.placeRow(row, (this.#scroller?.clientHeight ?? 0) * scrollTarget.share)
      if (scrollTarget.isMarked) row.dataset.marked = ''
    } else if (scrollTarget.kind === 'start') keeper.placeRow(keeper.rows[0] as HTMLElement, 0)
    else keeper.placeAtBottom()
    this.#note()
  }

  /** Returns the row of a message, or the next newer one if it is gone. */
  #findNear(id: number): HTMLElement | undefined {
    const { rows } = this.#keeper as ScrollKeeper
    return rows.find((row) => Number(row.dataset.id) >= id) ?? rows.at(-1)
  }

  #keepScroll(): void {
    const keeper = this.#keeper
    if (!keeper || keeper.rows.length === 0) return
    const sticks = keeper.isAtBottom && this.#model.hasNewest && getSelection()?.isCollapsed !== false
    // A list that was opened near its end stays at its position until something changes.
    if (sticks && !this.#isResized()) return
    if (sticks) keeper.placeAtBottom(this.#findUnseen())
    else keeper.restore()
    this.#note()
  }

  #isResized(): boolean {
    const { scrollHeight, clientHeight } = this.#scroller ?? {}
    return scrollHeight !== this.#scrollHeight || clientHeight !== this.#clientHeight
  }

  /** The first visible unread row, which must not be scrolled out of view. */
  #findUnseen(): HTMLElement | undefined {
    if (!this.#signals.marksRead) return undefined
    return this.#keeper?.listVisible().find((row) => this.#isUnread(idOf(row)))
  }

  #isUnread(id: MessageId): boolean {
    const message = peekMessage(id)
    return message !== undefined && (message.flags & flagBits.read) === 0
  }

  #note(): void {
    const keeper = this.#keeper
    if (!keeper || !this.#scroller) return
    keeper.note()
    this.#scrollTop = this.#scroller.scrollTop
    this.#scrollHeight = this.#scroller.scrollHeight
    this.#clientHeight = this.#scroller.clientHeight
    const { anchorId } = keeper
    if (anchorId !== undefined) this.#model.window.setAnchor(anchorId)
    this.#signals.isFar.value =
      !this.#model.hasNewest || keeper.distanceToBottom > this.#scroller.clientHeight * 1.5
  }

  #onScroll(): void {
    if (this.#scroller?.scrollTop !== this.#scrollTop) this.#note()
    this.#countArrived()
    this.#extend()
    this.#lookWhenPainted()
    saveScroll(this.#keeper?.isAtBottom ? undefined : this.#keeper?.anchor, this.#ended.signal)
  }

  /** Counts messages that arrived since the end of the list was last in view. */
  #countArrived(): void {
    const ids = this.#model.window.segment.peek()?.ids ?? []
    const last = ids.at(-1)
    const before = this.#newest
    if (last === undefined) return
    const later = before === undefined ? [] : ids.slice(ids.findLastIndex((id) => id <= before) + 1)
    const arrived = later.filter((id) => peekMessage(id)?.sender_id !== ownId.peek())
    this.#announcements.add(arrived.filter((id) => !isPersonMuted(peekMessage(id)?.sender_id ?? 0)))
    const isSeen = before === undefined || (this.#keeper?.isAtBottom && this.#model.hasNewest)
    if (isSeen) this.#newest = last
    this.#signals.arrived.value = isSeen ? 0 : arrived.length
  }

  #extend(): void {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = this.#scroller ?? {}
    const near = Math.min(clientHeight * screensAhead, Math.max(scrollHeight / 5, clientHeight / 2))
    if (scrollTop < near) this.#model.showOlder()
    if (scrollHeight - scrollTop - clientHeight < near) this.#model.showNewer()
  }

  #noteInput(): void {
    this.#lastInput = Date.now()
    if (!this.#waitsForInput) return
    this.#waitsForInput = false
    this.#look()
  }

  /** Counts from the frame that shows the rows, which a slow device may paint long after their layout. */
  #lookWhenPainted(): void {
    this.#lookFrame ??= requestAnimationFrame(() => {
      this.#lookFrame = undefined
      this.#look()
    })
  }

  /** Marks messages that have been in view long enough. */
  #look(): void {
    if (!this.#signals.marksRead || keepsUnread.peek() || !this.#keeper || !this.#scroller) return
    clearTimeout(this.#seenTimer)
    const now = Date.now()
    const isAttentive =
      document.visibilityState === 'visible' &&
      document.hasFocus() &&
      !this.#waitsForInput &&
      now - this.#lastInput < attentionMs
    const { bottom } = this.#scroller.getBoundingClientRect()
    const inView = this.#keeper
      .listVisible()
      .filter((row) => row.getBoundingClientRect().bottom <= bottom + 1)
      .map(idOf)
      .filter((id) => this.#isUnread(id))
    const { seen, nextMs } = this.#seen.look(inView, isAttentive, now)
    markRead(seen)
    if (nextMs !== undefined) this.#seenTimer = setTimeout(() => this.#look(), nextMs)
  }
}

const idOf = (row: HTMLElement): MessageId => Number(row.dataset.id) as MessageId
