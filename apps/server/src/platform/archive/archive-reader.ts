import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { OperatorError } from '../operator-error.ts'
import { ByteReader } from './byte-reader.ts'
import {
  backupFormat,
  checksumPrefix,
  type Manifest,
  manifestChecksumName,
  manifestName,
  manifestSchema,
} from './manifest.ts'
import { blockBytes, endOfArchive, parseHeader, parsePax } from './tar-format.ts'

export interface ArchiveEntry {
  name: string
  size: number
  /**
   * The content. It can be read only once, and only before the next entry is read; unread bytes are skipped.
   */
  content: AsyncIterable<Buffer>
}

export interface ReadOptions {
  /** Called for each file of the backup except checksums and manifest. */
  visit?: (entry: ArchiveEntry) => Promise<void>
  /** Called with the bytes read so far and the size of the whole backup. */
  onProgress?: (read: number, total: number) => void
}

/** Further problems are counted, but not listed. */
const maxListedProblems = 20
/** Maximum size of the manifest and of a list of checksums; those of a valid backup are smaller. */
const maxTextBytes = 16 * 1_048_576
/** Maximum size of a pax header, which has a name and a size. */
const maxPaxBytes = 65_536

/**
 * Reads a whole backup, compares all checksums, and returns its manifest. Throws an `OperatorError` that
 * names damaged files and says where a truncated backup ends. Errors of `visit` are thrown at once.
 */
export async function readArchive(path: string, options: ReadOptions = {}): Promise<Manifest> {
  const total = await sizeOf(path)
  const reader = new ByteReader(createReadStream(path, { highWaterMark: 1_048_576 }))
  try {
    return await new ArchiveReader(reader, total, options).read(path)
  } finally {
    await reader.close()
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: Error) => {
    throw new OperatorError(`The backup cannot be read: ${error.message}`)
  })
  if (!found.isFile()) throw new OperatorError(`${path} is not a file. A backup is one file.`)
  return found.size
}

class ArchiveReader {
  readonly #reader: ByteReader
  readonly #total: number
  readonly #options: ReadOptions
  readonly #problems: string[] = []
  readonly #digest = createHash('sha256')
  /** Computed checksums of files, until the list with their expected checksums is read. */
  readonly #found = new Map<string, string>()
  #count = 0
  #last = ''
  #endedEarly = false

  constructor(reader: ByteReader, total: number, options: ReadOptions) {
    this.#reader = reader
    this.#total = total
    this.#options = options
  }

  async read(path: string): Promise<Manifest> {
    const manifest = await this.#readAll(path)
    if (this.#problems.length > 0) {
      const unlisted = this.#problems.length - maxListedProblems
      const listed = this.#problems.slice(0, maxListedProblems)
      if (unlisted > 0) listed.push(`and ${unlisted} more`)
      throw new OperatorError(
        `The backup ${path} is damaged:\n${listed.map((problem) => `- ${problem}`).join('\n')}\nUse another copy of it, or an older backup.`,
      )
    }
    if (!manifest) throw new Error('a backup without a problem has no manifest')
    return manifest
  }

  async #readAll(path: string): Promise<Manifest | undefined> {
    for (;;) {
      const header = await this.#readHeader(path)
      if (!header) return undefined
      const { name, size } = header
      this.#last = name
      if (name.startsWith(checksumPrefix)) this.#compare(name, await this.#readText(size))
      else if (name === manifestName) return await this.#readManifest(await this.#readText(size))
      else await this.#readFile(name, size)
      this.#options.onProgress?.(this.#reader.position, this.#total)
      if (this.#isCut()) return undefined
    }
  }

  /** Reads the next header. Returns undefined, and records a problem, if the rest cannot be read. */
  async #readHeader(path: string): Promise<{ name: string; size: number } | undefined> {
    const isFirst = this.#last === ''
    const block = await this.#reader.read(blockBytes)
    try {
      if (block.length < blockBytes) {
        if (isFirst) throw new OperatorError(`${path} is not a backup of Oxbow.`)
        return this.#noteCut()
      }
      const header = parseHeader(block)
      if (!header.isPax) return header
      const records = await this.#readText(header.size, maxPaxBytes)
      const plain = await this.#reader.read(blockBytes)
      if (plain.length < blockBytes) return this.#noteCut()
      parseHeader(plain)
      return parsePax(records)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      if (isFirst) throw new OperatorError(`${path} is not a backup of Oxbow.`)
      this.#problems.push(
        `the header after ${this.#last}, at byte ${this.#reader.position - blockBytes}; the rest cannot be read`,
      )
      return undefined
    }
  }

  #noteCut(): undefined {
    this.#problems.push(
      `it ends at byte ${this.#total}, after ${this.#last}, without a manifest: it is cut off`,
    )
  }

  #isCut(): boolean {
    if (!this.#endedEarly) return false
    this.#problems.push(`it ends at byte ${this.#total}, inside ${this.#last}: it is cut off`)
    return true
  }

  async #readFile(name: string, size: number): Promise<void> {
    const digest = createHash('sha256')
    const reader = this.#reader
    let remaining = size
    async function* read(): AsyncGenerator<Buffer> {
      for await (const piece of reader.pieces(remaining)) {
        digest.update(piece)
        remaining -= piece.length
        yield piece
      }
    }
    const content = read()
    await this.#options.visit?.({ name, size, content })
    await content.return(undefined)
    for await (const _skipped of read());
    await this.#skipPadding(size, remaining === 0)
    this.#count++
    this.#found.set(name, digest.digest('hex'))
  }

  async #readText(size: number, maxBytes = maxTextBytes): Promise<Buffer> {
    if (size > maxBytes) throw new OperatorError('a header is damaged')
    const text = await this.#reader.read(size)
    await this.#skipPadding(size, text.length === size)
    return text
  }

  async #skipPadding(size: number, isWhole: boolean): Promise<void> {
    const padding = (blockBytes - (size % blockBytes)) % blockBytes
    const skipped = await this.#reader.read(padding)
    if (!isWhole || skipped.length < padding) this.#endedEarly = true
  }

  #compare(name: string, list: Buffer): void {
    this.#digest.update(list)
    for (const line of list.toString().split('\n').slice(0, -1)) {
      const [sha256, file = ''] = line.split('  ')
      const found = this.#found.get(file)
      if (found === undefined) this.#problems.push(`${file}, listed in ${name}, is missing`)
      else if (found !== sha256) this.#problems.push(`the content of ${file}`)
      this.#found.delete(file)
    }
    for (const file of this.#found.keys()) this.#problems.push(`${file} has no checksum in ${name}`)
    this.#found.clear()
  }

  async #readManifest(text: Buffer): Promise<Manifest | undefined> {
    if (this.#isCut()) return undefined
    const header = await this.#readHeader('')
    if (!header) return undefined
    const checksum = await this.#readText(header.size)
    const expected = `${hash('sha256', text, 'hex')}  ${manifestName}\n`
    if (header.name !== manifestChecksumName || checksum.toString() !== expected) {
      this.#problems.push(`${manifestName} or its checksum`)
      return undefined
    }
    const json = parseObject(text)
    if (json && json.format !== backupFormat)
      throw new OperatorError(
        `This backup has format ${json.format}, made by Oxbow ${json.version}; this release reads format ${backupFormat}. Restore it with that release.`,
      )
    const end = await this.#reader.read(endOfArchive.length)
    if (!end.equals(endOfArchive)) this.#problems.push('the end of the archive is missing: it is cut off')
    const { data: manifest } = manifestSchema.safeParse(json)
    if (!manifest) {
      this.#problems.push(`${manifestName}, which is not as Oxbow writes it`)
      return undefined
    }
    const { count, sha256 } = manifest.contents
    if (this.#found.size > 0 || count !== this.#count || sha256 !== this.#digest.digest('hex'))
      this.#problems.push(
        `it has ${this.#count} files in place of ${count}, or other checksums than the manifest`,
      )
    return manifest
  }
}

/** Parses a JSON object. Returns undefined if the text is anything else. */
function parseObject(text: Buffer): { format?: unknown; version?: unknown } | undefined {
  try {
    const json: unknown = JSON.parse(text.toString())
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}
