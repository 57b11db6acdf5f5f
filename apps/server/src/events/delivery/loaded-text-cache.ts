import type { Loaded } from '../event-shape.ts'

/** Estimated memory of an entry in addition to its text. */
const entryOverheadBytes = 100

interface CachedTexts {
  loaded: Loaded
  bytes: number
}

/**
 * Caches the results of `EventShape.load`, because many queues need the same result at almost the same time.
 * The oldest entry is evicted first. Callers share a load in flight and get its result even if it is too
 * large to be cached.
 */
export class LoadedTextCache {
  readonly #maxBytes: number
  readonly #cached = new Map<string, CachedTexts>()
  readonly #loading = new Map<string, Promise<Loaded>>()
  #bytes = 0

  constructor(limit: number) {
    this.#maxBytes = limit
  }

  /** Returns the cached value, or a promise if it is being loaded; undefined if `load` returns undefined. */
  get(key: string, load: () => Promise<Loaded> | undefined): Loaded | Promise<Loaded> | undefined {
    return this.#cached.get(key)?.loaded ?? this.#loading.get(key) ?? this.#begin(key, load())
  }

  #begin(key: string, read: Promise<Loaded> | undefined): Promise<Loaded> | undefined {
    if (!read) return undefined
    const loading = this.#finish(key, read)
    this.#loading.set(key, loading)
    // Callers get the rejection. If no caller waits, it must not be reported as unhandled.
    loading.catch(() => {})
    return loading
  }

  async #finish(key: string, read: Promise<Loaded>): Promise<Loaded> {
    try {
      const loaded = await read
      this.#keep(key, loaded)
      return loaded
    } finally {
      this.#loading.delete(key)
    }
  }

  #keep(key: string, loaded: Loaded): void {
    let bytes = entryOverheadBytes
    for (const text of loaded.values()) bytes += entryOverheadBytes + Buffer.byteLength(text)
    // Caching this text would evict all other entries, and it would still not fit.
    if (bytes > this.#maxBytes) return
    this.#cached.set(key, { loaded, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes }] of this.#cached) {
      if (this.#bytes <= this.#maxBytes) return
      this.#cached.delete(oldest)
      this.#bytes -= bytes
    }
  }
}
