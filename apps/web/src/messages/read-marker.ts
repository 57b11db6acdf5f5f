import type { MessageId } from '@oxbow/contract'
import { flagBits } from '@oxbow/sdk/windows'
import { suspendsReadMarks } from '../client/messages/editing.ts'
import { markRead } from '../client/messages/read-marks.ts'
import { peekMessage } from '../client/messages/windows.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'
import { attentionMs, SeenTracker } from './seen.ts'

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Marks messages of a list as read once they have been in view long enough. */
export class ReadMarker {
  readonly #seen = new SeenTracker()
  #scroller: HTMLElement | undefined
  #keeper: ScrollKeeper | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame: number | undefined
  #lastInput = Date.now()
  #waitsForInput: boolean

  /** With `waitsForInput`, nothing is marked as read before the user's first input. */
  constructor(waitsForInput: boolean) {
    this.#waitsForInput = waitsForInput
  }

  attach(scroller: HTMLElement, keeper: ScrollKeeper, ended: AbortSignal): void {
    this.#scroller = scroller
    this.#keeper = keeper
    for (const name of inputs)
      addEventListener(name, () => this.#noteInput(), { signal: ended, passive: true, capture: true })
    for (const name of ['focus', 'blur'] as const)
      addEventListener(name, () => this.#look(), { signal: ended })
    document.addEventListener('visibilitychange', () => this.#look(), { signal: ended })
    ended.addEventListener('abort', () => this.#stop())
  }

  #stop(): void {
    clearTimeout(this.#timer)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
  }

  /** Lists the unread rows that are at least partly visible. */
  listUnread(): HTMLElement[] {
    return this.#keeper?.listVisible().filter((row) => isUnread(idOf(row))) ?? []
  }

  /**
   * Checks the visible rows in the next frame. Their time in view starts then, because a slow device may
   * paint rows long after their layout.
   */
  lookWhenPainted(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#look()
    })
  }

  #noteInput(): void {
    this.#lastInput = Date.now()
    if (!this.#waitsForInput) return
    this.#waitsForInput = false
    this.#look()
  }

  #look(): void {
    if (suspendsReadMarks.peek() || !this.#scroller) return
    clearTimeout(this.#timer)
    const now = Date.now()
    const isAttentive =
      document.visibilityState === 'visible' &&
      document.hasFocus() &&
      !this.#waitsForInput &&
      now - this.#lastInput < attentionMs
    const { bottom } = this.#scroller.getBoundingClientRect()
    const inView = this.listUnread().filter((row) => row.getBoundingClientRect().bottom <= bottom + 1)
    const { seen, nextMs } = this.#seen.look(inView.map(idOf), isAttentive, now)
    markRead(seen)
    if (nextMs !== undefined) this.#timer = setTimeout(() => this.#look(), nextMs)
  }
}

const idOf = (row: HTMLElement): MessageId => Number(row.dataset.id) as MessageId

function isUnread(id: MessageId): boolean {
  const message = peekMessage(id)
  return message !== undefined && (message.flags & flagBits.read) === 0
}
