/** How long one turn may hold up everyone else, in milliseconds. */
const turn = 8

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
    const until = performance.now() + turn
    for (const item of this.#items) {
      this.#items.delete(item)
      try {
        this.#work(item)
      } catch (error) {
        // One mistake must not end the process, nor hold up the others.
        this.#onFault(error)
      }
      if (performance.now() > until) break
    }
    if (this.#items.size > 0) setImmediate(() => this.#run())
    else this.#isScheduled = false
  }
}
