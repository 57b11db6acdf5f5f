/** What one turn may do: so many items, because each may cause more work after it, and for so long in milliseconds. */
const turn = { items: 100, time: 8 }

/** Does many small things without holding up the event loop: waking fifteen thousand polls in one go takes most of a second. */
export class InTurns<Item> {
  readonly #work: (item: Item) => void
  readonly #onFault: (error: unknown) => void
  #items = new Set<Item>()
  #isScheduled = false

  constructor(work: (item: Item) => void, onFault: (error: unknown) => void) {
    this.#work = work
    this.#onFault = onFault
  }

  add(item: Item): void {
    this.#items.add(item)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#run())
  }

  #run(): void {
    const until = performance.now() + turn.time
    let left = turn.items
    for (const item of this.#items) {
      this.#items.delete(item)
      try {
        this.#work(item)
      } catch (error) {
        // One mistake must not end the process, nor hold up the others.
        this.#onFault(error)
      }
      if (--left === 0 || performance.now() > until) break
    }
    if (this.#items.size > 0) setImmediate(() => this.#run())
    else this.#isScheduled = false
  }
}
