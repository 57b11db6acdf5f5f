import type { MessageId } from '@oxbow/contract'
import { type Signal, signal } from '@preact/signals'
import { afterPaint } from '../client/after-paint.ts'
import { forgetActiveRow, noteOutside, suspendsReadMarks } from '../client/messages/editing.ts'
import { flushReadMarks } from '../client/messages/read-marks.ts'
import { peekMessage } from '../client/messages/windows.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { ownId } from '../client/store.ts'
import { foldEvent } from '../message-text/fold-event.ts'
import { Announcements } from './announcements.ts'
import type { ListModel, ScrollTarget } from './list-model.ts'
import { extendDistances } from './range.ts'
import { ReadMarker } from './read-marker.ts'
import { RovingFocus } from './roving-focus.ts'
import { saveScroll } from './saved-scroll.ts'
import { ScrollKeeper } from './scroll-keeper.ts'

export interface ListSignals {
  marksRead: boolean
  /** Number of messages that arrived below the visible part. */
  arrived: Signal<number>
  /** Whether the end of the list is far out of view. */
  isFar: Signal<boolean>
}

/** Scrolls a list, extends it at its ends, and counts the messages that arrive. */
export class ListController {
  readonly announced = signal('')
  readonly #model: ListModel
  readonly #signals: ListSignals
  readonly #readMarker: ReadMarker | undefined
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
  #isExtending = false
  #unsentCount = 0

  constructor(model: ListModel, signals: ListSignals) {
    this.#model = model
    this.#signals = signals
    const isLinked = model.scrollTarget?.kind === 'message' && model.scrollTarget.isMarked === true
    if (signals.marksRead) this.#readMarker = new ReadMarker(isLinked)
  }

  attach(scroller: HTMLElement): void {
    suspendsReadMarks.value = false
    this.#scroller = scroller
    const keeper = new ScrollKeeper(scroller)
    this.#keeper = keeper
    this.#focus = new RovingFocus(scroller, keeper, this.#model)
    this.#ended = new AbortController()
    const { signal: ended } = this.#ended
    scroller.addEventListener('scroll', () => this.#onScroll(), { signal: ended, passive: true })
    scroller.addEventListener(foldEvent, () => this.#note(), { signal: ended })
    this.#readMarker?.attach(scroller, keeper, ended)
    this.#focus.start(ended)
    for (const name of ['pointerdown', 'focusin'] as const)
      document.addEventListener(name, noteOutside, { signal: ended, passive: true })
    // The observer also reports rows that grow later, before they are painted.
    this.#observer = new ResizeObserver(() => this.#keepScroll())
    this.#observer.observe(scroller)
    if (scroller.firstElementChild) this.#observer.observe(scroller.firstElementChild)
  }

  detach(): void {
    this.#ended.abort()
    forgetActiveRow()
    this.#observer?.disconnect()
    this.#announcements.stop()
    void flushReadMarks()
  }

  /** Reads the current scroll position, which may have changed since the last scroll event. */
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
    // A row can be scrolled to its place only once there are enough rows around it.
    if (this.#fillView()) this.#model.scrollTarget = scrollTarget
    this.#countArrived()
    this.#focus?.update()
    this.#extendWhenPainted()
    this.#readMarker?.lookWhenPainted()
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
    // A list that was opened near its end keeps its position until its size changes.
    if (sticks && !this.#isResized()) return
    // Rows that were added above must not bring others into view.
    keeper.restore()
    if (sticks) keeper.placeAtBottom(this.#findUnseen())
    this.#note()
  }

  #isResized(): boolean {
    const { scrollHeight, clientHeight } = this.#scroller ?? {}
    return scrollHeight !== this.#scrollHeight || clientHeight !== this.#clientHeight
  }

  /** The first visible unread row, which must not be scrolled out of view. */
  #findUnseen(): HTMLElement | undefined {
    return this.#readMarker?.listUnread()[0]
  }

  #note(): void {
    const keeper = this.#keeper
    if (!keeper || !this.#scroller) return
    keeper.recordPositions()
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
    this.#extendWhenPainted()
    this.#readMarker?.lookWhenPainted()
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
    this.#announcements.add(arrived.filter((id) => !isFromMuted(id)))
    const isSeen = before === undefined || (this.#keeper?.isAtBottom && this.#model.hasNewest)
    if (isSeen) this.#newest = last
    this.#signals.arrived.value = isSeen ? 0 : arrived.length
  }

  /** Adds rows at once if the view has space for them. Returns whether it did. */
  #fillView(): boolean {
    const { scrollTop = 0 } = this.#scroller ?? {}
    const isAdded = scrollTop <= 0 && this.#model.showOlder(false)
    return ((this.#keeper?.distanceToBottom ?? 0) <= 0 && this.#model.showNewer(false)) || isAdded
  }

  /** Adds rows near the ends of the list, and fetches messages when few rows remain. */
  #extend(): void {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = this.#scroller ?? {}
    const { ahead, near } = extendDistances({ clientHeight, scrollHeight }, this.#model.isFull)
    const rest = scrollHeight - scrollTop - clientHeight
    if (scrollTop < ahead) this.#model.showOlder(scrollTop < near)
    if (rest < ahead) this.#model.showNewer(rest < near)
  }

  /** Adds rows after the next frame, so that those in view are painted first. */
  #extendWhenPainted(): void {
    if (this.#isExtending) return
    this.#isExtending = true
    const { signal: ended } = this.#ended
    afterPaint(() => {
      this.#isExtending = false
      if (!ended.aborted) this.#extend()
    })
  }
}

function isFromMuted(id: MessageId): boolean {
  const sender_id = peekMessage(id)?.sender_id
  return sender_id !== undefined && isPersonMuted(sender_id)
}
