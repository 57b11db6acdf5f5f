import { Backoff } from './retry.ts'

export interface BatchWriterOptions<Item> {
  /** Minimum time from the start of one write to the start of the next. */
  intervalMs: number
  /** Maximum number of waiting items; beyond it, the oldest are dropped. */
  maxItems: number
  keyOf: (item: Item) => string
  /** Merges two unwritten items with the same key. */
  merge: (earlier: Item, later: Item) => Item
  write: (items: Item[]) => Promise<void>
  /** Whether a write that failed with this error should be retried. */
  isTemporary: (error: unknown) => boolean
  /** Called for every failed write with the number of items that will not be written. */
  onFailed: (error: unknown, lost: number) => void
  /** Called when all items of a write were written. */
  onWritten: () => void
}

interface Entry<Item> {
  item: Item
  written: PromiseWithResolvers<void>
}

/** The pause doubles after each temporary failure, up to this maximum. */
const maxPauseMs = 30_000
/** After this many permanent failures within one batch, the rest of the batch is dropped. */
const maxFailures = 64

/**
 * Writes many small items in batches. A single item is written at once; items that follow soon wait for the
 * next write. A write that fails temporarily is retried together with newer items. A batch that fails
 * permanently is split until the items that cause the failure are isolated; these are dropped, and the others
 * are written.
 */
export class BatchWriter<Item> {
  readonly #options: BatchWriterOptions<Item>
  #waiting = new Map<string, Entry<Item>>()
  #writing: Promise<void> | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  readonly #backoff: Backoff
  #pause: number
  #timer: NodeJS.Timeout | undefined

  constructor(options: BatchWriterOptions<Item>) {
    this.#options = options
    this.#pause = options.intervalMs
    this.#backoff = new Backoff({ firstMs: options.intervalMs * 2, maxMs: maxPauseMs })
  }

  /**
   * Resolves once the item is written; rejects when a write with it fails. The promise may be
   * ignored.
   */
  add(item: Item): Promise<void> {
    const { keyOf, merge, maxItems } = this.#options
    const key = keyOf(item)
    const earlier = this.#waiting.get(key)
    const entry = earlier ?? makeEntry(item)
    if (earlier) earlier.item = merge(earlier.item, item)
    else this.#waiting.set(key, entry)
    if (this.#waiting.size > maxItems) this.#dropOldest()
    this.#schedule()
    return entry.written.promise
  }

  /** Tries once to write the remaining items; items that fail now are lost. */
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
    const { write, isTemporary, onFailed, onWritten, intervalMs } = this.#options
    try {
      await write(entries.map(([, { item }]) => item))
      this.#pause = intervalMs
      this.#backoff.reset()
      // If the whole batch failed first, writing a part of it does not count as recovery.
      if (batch.failures === 0) onWritten()
      for (const [, { written }] of entries) written.resolve()
    } catch (error) {
      if (isTemporary(error)) {
        this.#pause = this.#backoff.next()
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

  /** Rejects the promises of the items, and queues the items for a retry, before newer ones. */
  #putBack(entries: [string, Entry<Item>][], error: unknown): void {
    const newer = this.#waiting
    this.#waiting = new Map()
    for (const [key, { item, written }] of entries) {
      written.reject(error)
      this.#waiting.set(key, makeEntry(item))
    }
    for (const [key, entry] of newer) {
      const earlier = this.#waiting.get(key)
      if (earlier) entry.item = this.#options.merge(earlier.item, entry.item)
      this.#waiting.set(key, entry)
    }
    while (this.#waiting.size > this.#options.maxItems) this.#dropOldest()
  }
}

function makeEntry<Item>(item: Item): Entry<Item> {
  const written = Promise.withResolvers<void>()
  // Most callers ignore the promise, and an unhandled rejection would end the process.
  written.promise.catch(() => {})
  return { item, written }
}
