import type { MessageId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { dayOf } from '../client/formats/local-time.ts'
import { moves, peekMessage, type ShownWindow } from '../client/messages/windows.ts'
import {
  cutRange,
  extendDown,
  extendUp,
  hiddenParts,
  isFull,
  limitRange,
  openRange,
  type Range,
} from './range.ts'
import { isSameLayout, layOutRows, type RowLayout } from './rows.ts'

/** The initial scroll position of a list. */
export type ScrollTarget =
  /** A message, placed at a fraction of the view's height. */
  | { kind: 'message'; id: number; share: number; isMarked?: boolean }
  /** The position at which the user left the list before. */
  | { kind: 'restored'; id: number; top: number }
  | { kind: 'end' }
  | { kind: 'start' }

export interface ListOptions {
  readonly window: ShownWindow
  readonly scrollTarget: ScrollTarget
  readonly hasBars: boolean
  /** Whether messages between the rows are omitted. */
  readonly isSparse: boolean
  /** Id of the first message that was unread when the view was opened. */
  readonly firstNew: MessageId | undefined
}

/** The rows that a list shows, and its target scroll position. It does not touch the DOM. */
export class ListModel {
  readonly window: ShownWindow
  readonly #range = signal<Range | undefined>(undefined)
  /** The position to scroll to once its rows are rendered. */
  scrollTarget: ScrollTarget | undefined
  readonly rows: ReadonlySignal<readonly RowLayout[]>
  readonly #hasBars: boolean
  #before = new Map<MessageId, RowLayout>()

  constructor({ window, scrollTarget, hasBars, isSparse, firstNew }: ListOptions) {
    this.window = window
    this.scrollTarget = scrollTarget
    this.#hasBars = hasBars
    this.rows = computed(() => {
      const segment = window.segment.value
      moves.value
      if (!segment) return []
      const range = this.#range.value ?? this.#open()
      const messages = cutRange(segment.ids, range).flatMap((id) => peekMessage(id) ?? [])
      return this.#share(layOutRows(messages, { hasBars, isSparse, firstNew, dayOf }))
    })
  }

  /**
   * Returns the rows of unsent messages, below the last row, with the layout that they will have
   * once they are sent.
   */
  layOutUnsent(echoes: readonly WindowMessage[]): readonly RowLayout[] {
    if (echoes.length === 0) return []
    const last = this.rows.value.at(-1)
    const before = (last && peekMessage(last.id)) ?? []
    const layouts = layOutRows([before, echoes].flat(), {
      hasBars: this.#hasBars,
      firstNew: undefined,
      dayOf,
    })
    return layouts.slice(-echoes.length)
  }

  /** Reuses the objects of unchanged rows, so that these are not rendered again. */
  #share(rows: readonly RowLayout[]): readonly RowLayout[] {
    const shared = rows.map((row) => {
      const before = this.#before.get(row.id)
      return before && isSameLayout(before, row) ? before : row
    })
    this.#before = new Map(shared.map((row) => [row.id, row]))
    return shared
  }

  get #reachesNewest(): boolean {
    return this.window.segment.peek()?.to === Number.POSITIVE_INFINITY
  }

  #open(): Range {
    const ids = this.window.segment.peek()?.ids ?? []
    const { scrollTarget } = this
    const at =
      scrollTarget?.kind === 'start' ? 0 : scrollTarget && 'id' in scrollTarget ? scrollTarget.id : undefined
    return openRange(ids, at, this.#reachesNewest)
  }

  /** Sets the range of rows once messages are loaded. */
  settle(isAtBottom: boolean): void {
    const ids = this.window.segment.peek()?.ids
    if (!ids) return
    const range = this.#range.peek()
    this.#range.value = range ? limitRange(ids, range, isAtBottom) : this.#open()
  }

  /** Whether rows that are added at one end replace those at the other end. */
  get isFull(): boolean {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    return Boolean(segment && range && isFull(segment.ids, range))
  }

  /**
   * Shows older rows. If all are shown and the reader is near them, fetches more. A full list shows
   * others only if the reader is near them. Returns whether rows are added now.
   */
  showOlder(isNear: boolean): boolean {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    if (!segment || !range) return false
    if (hiddenParts(segment.ids, range).above) {
      if (!isNear && this.isFull) return false
      this.#range.value = extendUp(segment.ids, range, this.#reachesNewest)
      return true
    }
    if (isNear && segment.from > 0 && !this.window.current.peek().error)
      void this.window.fetchOlder().catch(() => {})
    return false
  }

  /** Shows newer rows, in the same way as `showOlder`. */
  showNewer(isNear: boolean): boolean {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    if (!segment || !range) return false
    if (hiddenParts(segment.ids, range).below) {
      if (!isNear && this.isFull) return false
      this.#range.value = extendDown(segment.ids, range, this.#reachesNewest)
      return true
    }
    if (isNear && segment.to !== Number.POSITIVE_INFINITY && !this.window.current.peek().error)
      void this.window.fetchNewer().catch(() => {})
    return false
  }

  /** Whether the row of the newest message is shown. */
  get hasNewest(): boolean {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    return Boolean(segment && range && this.#reachesNewest && !hiddenParts(segment.ids, range).below)
  }

  /** Scrolls to the beginning or the end of the list, and fetches missing messages. */
  async go(kind: 'start' | 'end'): Promise<void> {
    const segment = this.window.segment.peek()
    const isThere = kind === 'end' ? this.#reachesNewest : segment?.from === 0
    // The window itself reports a failed request.
    if (!isThere) await this.window.jump(kind === 'end' ? 'newest' : 'oldest').catch(() => {})
    this.scrollTarget = { kind }
    this.#range.value = undefined
    this.#range.value = this.#open()
  }
}
