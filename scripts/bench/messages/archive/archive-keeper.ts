import { type Archive, plantArchive } from './archive.ts'

const smaller = 20

/** Several parts use the archives; each is made when the first asks for it, and dropped at the end. */
export class ArchiveKeeper implements AsyncDisposable {
  readonly #rows: number
  #large: Archive | undefined
  #small: Archive | undefined

  constructor(rows: number) {
    this.#rows = rows
  }

  async large(): Promise<Archive> {
    this.#large ??= await plantArchive(this.#rows)
    return this.#large
  }

  /** With a twentieth of the messages. */
  async small(): Promise<Archive> {
    this.#small ??= await plantArchive(Math.round(this.#rows / smaller))
    return this.#small
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#large?.[Symbol.asyncDispose]()
    await this.#small?.[Symbol.asyncDispose]()
  }
}
