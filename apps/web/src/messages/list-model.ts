import type { MessageId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { moves, peekMessage, type ShownWindow } from '../data/windows.ts'
import { dayOf } from '../text/dates.ts'
import { cutRange, extendDown, extendUp, hiddenParts, limitRange, openRange, type Range } from './range.ts'
import { isSameLook, layOutRows, type RowLook } from './rows.ts'

/** Where a list is opened. */
export type Place =
  /** A message, at a share of the view's height from its top. */
  | { kind: 'message'; id: number; share: number; isMarked?: boolean }
  /** Where the list was when one left it. */
  | { kind: 'restored'; id: number; top: number }
  | { kind: 'end' }
  | { kind: 'start' }

export interface ListOptions {
  readonly window: ShownWindow
  readonly place: Place
  readonly hasBars: boolean
  /** The first message that was unread when the view was opened. */
  readonly firstNew: MessageId | undefined
}

/** The rows that a list shows, and where it shall be scrolled to. It knows no elements. */
export class ListModel {
  readonly window: ShownWindow
  readonly #range = signal<Range | undefined>(undefined)
  /** The place to which the list is moved once its rows are there. */
  place: Place | undefined
  readonly rows: ReadonlySignal<readonly RowLook[]>
  readonly #hasBars: boolean
  #before = new Map<MessageId, RowLook>()

  constructor({ window, place, hasBars, firstNew }: ListOptions) {
    this.window = window
    this.place = place
    this.#hasBars = hasBars
    this.rows = computed(() => {
      const segment = window.segment.value
      moves.value
      if (!segment) return []
      const range = this.#range.value ?? this.#open()
      const messages = cutRange(segment.ids, range).flatMap((id) => peekMessage(id) ?? [])
      return this.#share(layOutRows(messages, { hasBars, firstNew, dayOf }))
    })
  }

  /** Returns how unsent messages are shown below the last row: as they will be shown when they are sent. */
  layOutUnsent(echoes: readonly WindowMessage[]): readonly RowLook[] {
    if (echoes.length === 0) return []
    const last = this.rows.value.at(-1)
    const before = (last && peekMessage(last.id)) ?? []
    const looks = layOutRows([before, echoes].flat(), { hasBars: this.#hasBars, firstNew: undefined, dayOf })
    return looks.slice(-echoes.length)
  }

  /** Looks that did not change keep their identity, so that their rows are not rendered again. */
  #share(rows: readonly RowLook[]): readonly RowLook[] {
    const shared = rows.map((row) => {
      const before = this.#before.get(row.id)
      return before && isSameLook(before, row) ? before : row
    })
    this.#before = new Map(shared.map((row) => [row.id, row]))
    return shared
  }

  get #reachesNewest(): boolean {
    return this.window.segment.peek()?.to === Number.POSITIVE_INFINITY
  }

  #open(): Range {
    const ids = this.window.segment.peek()?.ids ?? []
    const { place } = this
    const at = place?.kind === 'start' ? 0 : place && 'id' in place ? place.id : undefined
    return openRange(ids, at, this.#reachesNewest)
  }

  /** Fixes the range once there are messages. */
  settle(isAtBottom: boolean): void {
    const ids = this.window.segment.peek()?.ids
    if (!ids) return
    const range = this.#range.peek()
    this.#range.value = range ? limitRange(ids, range, isAtBottom) : this.#open()
  }

  /** Shows older rows, or fetches them. */
  showOlder(): void {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    if (!segment || !range) return
    if (hiddenParts(segment.ids, range).above)
      this.#range.value = extendUp(segment.ids, range, this.#reachesNewest)
    else if (segment.from > 0 && !this.window.current.peek().error)
      void this.window.fetchOlder().catch(() => {})
  }

  showNewer(): void {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    if (!segment || !range) return
    if (hiddenParts(segment.ids, range).below)
      this.#range.value = extendDown(segment.ids, range, this.#reachesNewest)
    else if (segment.to !== Number.POSITIVE_INFINITY && !this.window.current.peek().error)
      void this.window.fetchNewer().catch(() => {})
  }

  /** Whether the newest message is among the rows. */
  get hasNewest(): boolean {
    const segment = this.window.segment.peek()
    const range = this.#range.peek()
    return Boolean(segment && range && this.#reachesNewest && !hiddenParts(segment.ids, range).below)
  }

  /** Moves the list to its beginning or its end, and fetches what is missing there. */
  async go(kind: 'start' | 'end'): Promise<void> {
    const segment = this.window.segment.peek()
    const isThere = kind === 'end' ? this.#reachesNewest : segment?.from === 0
    // A failure is shown by the window.
    if (!isThere) await this.window.jump(kind === 'end' ? 'newest' : 'oldest').catch(() => {})
    this.place = { kind }
    this.#range.value = undefined
    this.#range.value = this.#open()
  }
}
