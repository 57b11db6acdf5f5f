import { createHash, hash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checksumPrefix, manifestChecksumName, manifestName } from '../../../platform/archive/manifest.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import type { ExportManifest } from '../format/manifest.ts'
import type { ExportWriter } from './export-writer.ts'

const filesPerChecksumList = 1_000

/**
 * Writes the files of an export into a directory. After every `filesPerChecksumList` files, it writes a list
 * of their SHA-256 checksums, in the format of `sha256sum`. Only the owner can read the files.
 */
export class DirectoryWriter implements ExportWriter {
  readonly #directory: string
  readonly #digest = createHash('sha256')
  readonly #folders = new Set<string>()
  #checksums: string[] = []
  #listCount = 0
  #count = 0

  constructor(directory: string) {
    this.#directory = directory
  }

  async add(name: string, content: Buffer): Promise<void> {
    await this.#write(name, [content])
    await this.#note(name, hash('sha256', content, 'hex'))
  }

  async addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    const digest = createHash('sha256')
    const written = await this.#write(name, content, digest)
    if (written !== size) throw new Error(`${name} does not have the expected length of ${size} bytes`)
    await this.#note(name, digest.digest('hex'))
  }

  async finish(manifest: Omit<ExportManifest, 'contents'>): Promise<ExportManifest['contents']> {
    await this.#writeChecksums()
    const contents = { count: this.#count, sha256: this.#digest.digest('hex') }
    const text = Buffer.from(`${JSON.stringify({ ...manifest, contents }, undefined, 1)}\n`)
    await this.#write(manifestName, [text])
    await this.#write(manifestChecksumName, [
      Buffer.from(`${hash('sha256', text, 'hex')}  ${manifestName}\n`),
    ])
    return contents
  }

  async #note(name: string, sha256: string): Promise<void> {
    this.#count++
    this.#checksums.push(`${sha256}  ${name}\n`)
    if (this.#checksums.length >= filesPerChecksumList) await this.#writeChecksums()
  }

  async #writeChecksums(): Promise<void> {
    const list = Buffer.from(this.#checksums.join(''))
    this.#checksums = []
    this.#digest.update(list)
    await this.#write(`${checksumPrefix}${String(++this.#listCount).padStart(6, '0')}.sha256`, [list])
  }

  /** Writes one file. Returns the number of bytes written. */
  async #write(
    name: string,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
    digest?: { update(chunk: Buffer): unknown },
  ): Promise<number> {
    const path = join(this.#directory, name)
    try {
      await this.#makeFolder(dirname(path))
      await using file = await open(path, 'wx', 0o600)
      let written = 0
      for await (const chunk of content) {
        digest?.update(chunk)
        await file.appendFile(chunk)
        written += chunk.length
      }
      await file.sync()
      return written
    } catch (error) {
      if (!('syscall' in (error as Error))) throw error
      throw new OperatorError(`The export cannot be written: ${(error as Error).message}`)
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#folders.add(folder)
  }
}
