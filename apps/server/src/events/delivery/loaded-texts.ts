import type { Loaded } from '../event-shape.ts'

/** What an entry takes beside its text. */
const overhead = 100

interface Kept {
  loaded: Loaded
  bytes: number
}

/**
 * Keeps what was loaded last, up to a limit, because many queues need it within moments. The oldest goes first.
 * Whoever waits for something gets it all the same, however large it is.
 */
export class LoadedTexts {
  readonly #limit: number
  readonly #kept = new Map<string, Kept>()
  readonly #underWay = new Map<string, Promise<Loaded>>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** At once where it is kept. Undefined where `load` says that there is nothing to be loaded. */
  get(key: string, load: () => Promise<Loaded> | undefined): Loaded | Promise<Loaded> | undefined {
    return this.#kept.get(key)?.loaded ?? this.#underWay.get(key) ?? this.#begin(key, load())
  }

  #begin(key: string, read: Promise<Loaded> | undefined): Promise<Loaded> | undefined {
    if (!read) return undefined
    const loading = this.#finish(key, read)
    this.#underWay.set(key, loading)
    // Whoever waits hears of a failure; if nobody does any more, it is nobody's.
    loading.catch(() => {})
    return loading
  }

  async #finish(key: string, read: Promise<Loaded>): Promise<Loaded> {
    try {
      const loaded = await read
      this.#keep(key, loaded)
      return loaded
    } finally {
      this.#underWay.delete(key)
    }
  }

  #keep(key: string, loaded: Loaded): void {
    let bytes = overhead
    for (const text of loaded.values()) bytes += overhead + Buffer.byteLength(text)
    // It would drive out everything else and then not fit.
    if (bytes > this.#limit) return
    this.#kept.set(key, { loaded, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#limit) return
      this.#kept.delete(oldest)
      this.#bytes -= bytes
    }
  }
}
