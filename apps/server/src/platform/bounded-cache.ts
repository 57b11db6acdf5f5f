/**
 * A map with a maximum number of entries; beyond it the oldest entry is evicted. Setting a key again
 * makes it the newest.
 */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** Returns the entry that was evicted, if any. */
  set(key: Key, value: Value): [Key, Value] | undefined {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxEntries) return undefined
    const [oldest] = this.#entries
    if (oldest) this.#entries.delete(oldest[0])
    return oldest
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  /** Returns the cached value. If there is none, calls `make` and caches its result. */
  getOrMake(key: Key, make: () => Value): Value {
    const cached = this.#entries.get(key)
    if (cached !== undefined) return cached
    const value = make()
    this.set(key, value)
    return value
  }

  /** Iterates over the entries from the oldest to the newest. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }
}
