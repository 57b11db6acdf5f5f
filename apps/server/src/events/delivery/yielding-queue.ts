/**
 * Limits of the work between two yields. The number of items is limited too, because each may cause more work
 * later.
 */
const slice = { maxItems: 100, maxMs: 8 }

/**
 * Calls `work` for each item and yields to the event loop in between: waking fifteen thousand polls at once
 * would block it for most of a second. If an item is added twice before it is processed, `work` is called
 * once.
 */
export class YieldingQueue<Item> {
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
    const until = performance.now() + slice.maxMs
    let itemsLeft = slice.maxItems
    for (const item of this.#items) {
      this.#items.delete(item)
      try {
        this.#work(item)
      } catch (error) {
        // An error must neither end the process nor skip the remaining items.
        this.#onFault(error)
      }
      if (--itemsLeft === 0 || performance.now() > until) break
    }
    if (this.#items.size > 0) setImmediate(() => this.#run())
    else this.#isScheduled = false
  }
}
