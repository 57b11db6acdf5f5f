export interface CachedPicture {
  bytes: Uint8Array
  etag: string
}

interface Entry {
  picture: CachedPicture
  staleAt: number
}

/**
 * Keeps pictures in memory up to a number of bytes, and evicts the least recently used ones beyond
 * it.
 */
export class PictureCache {
  readonly #entries = new Map<string, Entry>()
  readonly #maxBytes: number
  readonly #maxAgeMs: number
  #bytes = 0

  constructor({ maxBytes, maxAgeMs }: { maxBytes: number; maxAgeMs: number }) {
    this.#maxBytes = maxBytes
    this.#maxAgeMs = maxAgeMs
  }

  get size(): number {
    return this.#entries.size
  }

  /** Bytes of all pictures and keys. */
  get bytes(): number {
    return this.#bytes
  }

  get(key: string, now = Date.now()): CachedPicture | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.staleAt <= now) {
      this.#delete(key, entry)
      return undefined
    }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.picture
  }

  set(key: string, picture: CachedPicture, now = Date.now()): void {
    const before = this.#entries.get(key)
    if (before) this.#delete(key, before)
    const entry = { picture, staleAt: now + this.#maxAgeMs }
    this.#entries.set(key, entry)
    this.#bytes += countBytes(key, entry)
    for (const [oldest, evicted] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#delete(oldest, evicted)
    }
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= countBytes(key, entry)
  }
}

const countBytes = (key: string, { picture }: Entry): number => key.length + picture.bytes.length
