export interface GathererOptions<Item> {
  /** Milliseconds from the beginning of one writing to that of the next, at least. */
  every: number
  keyOf: (item: Item) => string
  /** What two with the same key come to that were told before either was written. */
  fold: (earlier: Item, later: Item) => Item
  write: (items: Item[]) => Promise<void>
}

interface Batch<Item> {
  items: Map<string, Item>
  written: PromiseWithResolvers<void>
}

/**
 * Writes many small things together. A lone one is written at once; what comes soon after waits for the next writing. What
 * could not be written is tried again with what came meanwhile, so only the death of the process loses it.
 */
export class Gatherer<Item> {
  readonly #options: GathererOptions<Item>
  #batch: Batch<Item> | undefined
  #writing: Promise<void> | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(options: GathererOptions<Item>) {
    this.#options = options
  }

  /** Resolves once it is written; whoever does not care need not wait. */
  add(item: Item): Promise<void> {
    const { keyOf, fold } = this.#options
    const { items, written } = this.#filling()
    const key = keyOf(item)
    const earlier = items.get(key)
    items.set(key, earlier ? fold(earlier, item) : item)
    this.#schedule()
    return written.promise
  }

  /** Writes what is left; what fails now is lost. */
  async finish(): Promise<void> {
    await this.#writing
    clearTimeout(this.#timer)
    if (this.#batch) await this.#write(this.#batch)
    clearTimeout(this.#timer)
  }

  #filling(): Batch<Item> {
    this.#batch ??= emptyBatch()
    return this.#batch
  }

  #schedule(): void {
    if (this.#timer || this.#writing || !this.#batch) return
    const wait = Math.max(0, this.#begunAt + this.#options.every - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (!this.#batch) return
      this.#writing = this.#write(this.#batch).finally(() => {
        this.#writing = undefined
        this.#schedule()
      })
    }, wait)
  }

  async #write(batch: Batch<Item>): Promise<void> {
    this.#batch = undefined
    this.#begunAt = performance.now()
    try {
      await this.#options.write([...batch.items.values()])
      batch.written.resolve()
    } catch (error) {
      this.#putBack(batch)
      batch.written.reject(error)
    }
  }

  #putBack({ items }: Batch<Item>): void {
    const { items: newer } = this.#filling()
    for (const [key, item] of items) {
      const later = newer.get(key)
      newer.set(key, later ? this.#options.fold(item, later) : item)
    }
  }
}

function emptyBatch<Item>(): Batch<Item> {
  const written = Promise.withResolvers<void>()
  // Most do not wait for it, and then nobody would hear of a failure.
  written.promise.catch(() => {})
  return { items: new Map(), written }
}
