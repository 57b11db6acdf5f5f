import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { readLines } from './merge-sort.ts'

/** Records of a later type, kept on disk until the types before it are written. */
export class Spool<Record> {
  readonly #path: string
  readonly #stream: WriteStream
  count = 0

  constructor(path: string) {
    this.#path = path
    this.#stream = createWriteStream(path, { mode: 0o600, highWaterMark: 262_144 })
  }

  async add(record: Record): Promise<void> {
    this.count++
    if (!this.#stream.write(`${JSON.stringify(record)}\n`)) await once(this.#stream, 'drain')
  }

  /** Yields the records in the order in which they were added. Nothing can be added afterwards. */
  async *read(): AsyncGenerator<Record> {
    this.#stream.end()
    await finished(this.#stream)
    for await (const line of readLines(this.#path)) yield JSON.parse(line)
  }
}
