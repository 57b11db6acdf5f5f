import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { OperatorError } from '../operator-error.ts'
import { checksumPrefix, type Manifest, manifestChecksumName, manifestName } from './manifest.ts'
import { buildHeader, endOfArchive, paddingAfter } from './tar-format.ts'

const filesPerChecksumList = 1_000

/**
 * Writes a backup, which is a tar archive. After every `filesPerChecksumList` files, it writes a list of
 * their SHA-256 checksums, in the format of `sha256sum`. The last two files are the manifest and its checksum.
 */
export class ArchiveWriter {
  readonly #output: Writable
  readonly #time = new Date()
  readonly #digest = createHash('sha256')
  #checksums: string[] = []
  #listCount = 0
  #count = 0
  #failure: Error | undefined
  /** Number of bytes written so far. */
  bytes = 0

  constructor(output: Writable) {
    this.#output = output
    output.on('error', (error) => {
      this.#failure ??= error
    })
  }

  async add(name: string, content: Buffer): Promise<void> {
    await this.#write(buildHeader(name, content.length, this.#time))
    await this.#write(content)
    await this.#endFile(name, content.length, hash('sha256', content, 'hex'))
  }

  /** Adds a file of known size from a byte stream. Throws if the stream has another size. */
  async addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    await this.#write(buildHeader(name, size, this.#time))
    const digest = createHash('sha256')
    let written = 0
    for await (const chunk of content) {
      digest.update(chunk)
      written += chunk.length
      if (written > size) break
      await this.#write(chunk)
    }
    if (written !== size) throw new Error(`${name} does not have the expected length of ${size} bytes`)
    await this.#endFile(name, size, digest.digest('hex'))
  }

  async #endFile(name: string, size: number, sha256: string): Promise<void> {
    await this.#write(paddingAfter(size))
    this.#count++
    this.#checksums.push(`${sha256}  ${name}\n`)
    if (this.#checksums.length >= filesPerChecksumList) await this.#writeChecksums()
  }

  async #writeChecksums(): Promise<void> {
    const list = Buffer.from(this.#checksums.join(''))
    this.#checksums = []
    this.#digest.update(list)
    const name = `${checksumPrefix}${String(++this.#listCount).padStart(6, '0')}.sha256`
    await this.#writeWhole(name, list)
  }

  /**
   * Writes the manifest and the end of the archive. Returns the field `contents`, which it adds to the
   * manifest.
   */
  async finish(manifest: object): Promise<Manifest['contents']> {
    await this.#writeChecksums()
    const contents = { count: this.#count, sha256: this.#digest.digest('hex') }
    const text = Buffer.from(`${JSON.stringify({ ...manifest, contents }, undefined, 1)}\n`)
    await this.#writeWhole(manifestName, text)
    const checksum = `${hash('sha256', text, 'hex')}  ${manifestName}\n`
    await this.#writeWhole(manifestChecksumName, Buffer.from(checksum))
    await this.#write(endOfArchive)
    return contents
  }

  async #writeWhole(name: string, content: Buffer): Promise<void> {
    await this.#write(buildHeader(name, content.length, this.#time))
    await this.#write(content)
    await this.#write(paddingAfter(content.length))
  }

  async #write(chunk: Buffer): Promise<void> {
    if (chunk.length === 0) return
    this.bytes += chunk.length
    // The error listener above records a failure of the output, even if nothing waits for it here.
    if (!this.#failure && !this.#output.write(chunk)) await once(this.#output, 'drain').catch(() => {})
    if (this.#failure) throw new OperatorError(`The backup cannot be written: ${this.#failure.message}`)
  }
}
