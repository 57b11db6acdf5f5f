import type { MessageId } from '@oxbow/contract'

/** A message counts as seen after it was visible for this long. */
export const seenAfterMs = 400
/** After this time without input, the user may have left the screen, so no message counts as seen. */
export const attentionMs = 180_000

/** Determines which messages were visible long enough. */
export class SeenTracker {
  readonly #since = new Map<MessageId, number>()

  /**
   * Takes the unread messages whose end is visible now. Returns the messages that have been visible
   * for `seenAfterMs`, and the milliseconds until the next message will have been.
   */
  look(
    inView: readonly MessageId[],
    isAttentive: boolean,
    now: number,
  ): { seen: MessageId[]; nextMs?: number } {
    if (!isAttentive) {
      this.#since.clear()
      return { seen: [] }
    }
    const visible = new Set(inView)
    for (const id of this.#since.keys()) if (!visible.has(id)) this.#since.delete(id)
    for (const id of inView) if (!this.#since.has(id)) this.#since.set(id, now)
    const seen = inView.filter((id) => now - (this.#since.get(id) ?? now) >= seenAfterMs)
    for (const id of seen) this.#since.delete(id)
    const waiting = [...this.#since.values()]
    return waiting.length === 0
      ? { seen }
      : { seen, nextMs: Math.max(0, Math.min(...waiting) + seenAfterMs - now) }
  }
}
