import type { Archive } from './archive.ts'
import { createArchive } from './create-archive.ts'

const sizeRatio = 20

/**
 * Archives that several benchmarks share. Each is created when it is first used, and dropped at the
 * end.
 */
export class SharedArchives implements AsyncDisposable {
  readonly #rows: number
  #large: Archive | undefined
  #small: Archive | undefined

  constructor(rows: number) {
    this.#rows = rows
  }

  async large(): Promise<Archive> {
    this.#large ??= await createArchive(this.#rows)
    return this.#large
  }

  /** Returns an archive with a twentieth of the messages. */
  async small(): Promise<Archive> {
    this.#small ??= await createArchive(Math.round(this.#rows / sizeRatio))
    return this.#small
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#large?.[Symbol.asyncDispose]()
    await this.#small?.[Symbol.asyncDispose]()
  }
}
