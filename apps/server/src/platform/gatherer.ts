export interface GathererOptions<Item> {
  /** Milliseconds from the beginning of one write to that of the next, at least. */
  every: number
  /** Items that may wait at once; beyond it, those that have waited longest are dropped. */
  maxItems: number
  keyOf: (item: Item) => string
  /** Combines two items with the same key where neither was written yet. */
  fold: (earlier: Item, later: Item) => Item
  write: (items: Item[]) => Promise<void>
  /** Whether a write that failed in this way may succeed later: then it is retried. */
  isTemporary: (error: unknown) => boolean
  /** Called for every failed write with the number of items that are given up. */
  onFailed: (error: unknown, lost: number) => void
  /** Called when all items of a write were written. */
  onWritten: () => void
}

interface Entry<Item> {
  item: Item
  written: PromiseWithResolvers<void>
}

/** After temporary failures the pause doubles up to this many milliseconds. */
const maxPause = 30_000
/** Writes that may fail for lasting reasons before the rest of a batch is given up. */
const maxFailures = 64

/**
 * Writes many small items together. A lone item is written at once; what comes soon after waits for the next write. A write
 * that fails for a temporary reason is retried with what came meanwhile. One that fails for a lasting reason is split until
 * the items that cause it are alone; those are given up, and the others are written.
 */
export class Gatherer<Item> {
  readonly #options: GathererOptions<Item>
  #waiting = new Map<string, Entry<Item>>()
  #writing: Promise<void> | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  #pause: number
  #timer: NodeJS.Timeout | undefined

  constructor(options: GathererOptions<Item>) {
    this.#options = options
    this.#pause = options.every
  }

  /** Resolves once the item is written; rejects when a write with it fails. A caller that does not care need not wait. */
  add(item: Item): Promise<void> {
    const { keyOf, fold, maxItems } = this.#options
    const key = keyOf(item)
    const earlier = this.#waiting.get(key)
    const entry = earlier ?? makeEntry(item)
    if (earlier) earlier.item = fold(earlier.item, item)
    else this.#waiting.set(key, entry)
    if (this.#waiting.size > maxItems) this.#dropOldest()
    this.#schedule()
    return entry.written.promise
  }

  /** Writes what is left; what fails now is lost. */
  async finish(): Promise<void> {
    await this.#writing
    clearTimeout(this.#timer)
    if (this.#waiting.size > 0) await this.#writeAll()
    clearTimeout(this.#timer)
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting
    if (!oldest) return
    const [key, { written }] = oldest
    const error = new Error('too many items wait to be written')
    this.#waiting.delete(key)
    written.reject(error)
    this.#options.onFailed(error, 1)
  }

  #schedule(): void {
    if (this.#timer || this.#writing || this.#waiting.size === 0) return
    const wait = Math.max(0, this.#begunAt + this.#pause - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#waiting.size === 0) return
      this.#writing = this.#writeAll().finally(() => {
        this.#writing = undefined
        this.#schedule()
      })
    }, wait)
  }

  async #writeAll(): Promise<void> {
    const entries = [...this.#waiting]
    this.#waiting = new Map()
    this.#begunAt = performance.now()
    await this.#write(entries, { failures: 0 })
  }

  async #write(entries: [string, Entry<Item>][], batch: { failures: number }): Promise<void> {
    const { write, isTemporary, onFailed, onWritten, every } = this.#options
    try {
      await write(entries.map(([, { item }]) => item))
      this.#pause = every
      // A part of a batch that failed as a whole does not end the failure.
      if (batch.failures === 0) onWritten()
      for (const [, { written }] of entries) written.resolve()
    } catch (error) {
      if (isTemporary(error)) {
        this.#pause = Math.min(this.#pause * 2, maxPause)
        onFailed(error, 0)
        this.#putBack(entries, error)
        return
      }
      batch.failures++
      if (entries.length === 1 || batch.failures > maxFailures) {
        onFailed(error, entries.length)
        for (const [, { written }] of entries) written.reject(error)
        return
      }
      const middle = Math.ceil(entries.length / 2)
      await this.#write(entries.slice(0, middle), batch)
      await this.#write(entries.slice(middle), batch)
    }
  }

  /** Callers that wait are told of the failure; the items are retried before those that came meanwhile. */
  #putBack(entries: [string, Entry<Item>][], error: unknown): void {
    const newer = this.#waiting
    this.#waiting = new Map()
    for (const [key, { item, written }] of entries) {
      written.reject(error)
      this.#waiting.set(key, makeEntry(item))
    }
    for (const [key, entry] of newer) {
      const earlier = this.#waiting.get(key)
      if (earlier) entry.item = this.#options.fold(earlier.item, entry.item)
      this.#waiting.set(key, entry)
    }
    while (this.#waiting.size > this.#options.maxItems) this.#dropOldest()
  }
}

function makeEntry<Item>(item: Item): Entry<Item> {
  const written = Promise.withResolvers<void>()
  // Most callers do not wait, and an unhandled rejection would end the process.
  written.promise.catch(() => {})
  return { item, written }
}
