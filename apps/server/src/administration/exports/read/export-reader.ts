import { createHash, hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checksumPrefix, manifestChecksumName, manifestName } from '../../../platform/archive/manifest.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { type ExportManifest, exportFormat, exportManifestSchema } from '../format/manifest.ts'
import { recordTypes } from '../format/records.ts'
import { refusal } from './refuse.ts'

/** A file of an export, with the checksum that the export lists for it. */
export interface ListedFile {
  name: string
  sha256: string
  /** The type of the records in the file; undefined for files without records. */
  type?: string | undefined
}

const maxManifestBytes = 1_048_576
/** Maximum size of one checksum list, which has up to 1,000 lines. */
const maxListBytes = 262_144
const filesPerList = 1_000
/**
 * Maximum size of one file of records. The writer ends a file with the first record after 4 MB of
 * characters.
 */
const maxPartBytes = 64 * 1_048_576
/**
 * Maximum size of avatars, emoji and pictures of the organization. The server resized them, so they
 * are small.
 */
const maxPictureBytes = 16 * 1_048_576

const recordsPattern = /^records\/([a-z_]{1,40})\/\d{6}\.jsonl$/
const uploadPattern = /^files\/uploads\/\d{1,16}$/
const picturePattern =
  /^files\/(?:avatars\/\d{1,16}-(?:small|medium)\.png|emoji\/\d{1,15}\.(?:png|gif|webp)|organization\/(?:icon|logo|night_logo)\.png)$/

const listPattern = new RegExp(`^${checksumPrefix}\\d{6}\\.sha256$`)

const isType = new Set(recordTypes.map(({ name }) => name))

/**
 * Returns the maximum size in bytes of an export's file; undefined if an export has no file of this
 * name.
 */
export function findMaxBytes(name: string): number | undefined {
  const type = recordsPattern.exec(name)?.[1]
  if (type !== undefined) return isType.has(type) ? maxPartBytes : undefined
  if (uploadPattern.test(name)) return Number.MAX_SAFE_INTEGER
  if (picturePattern.test(name)) return maxPictureBytes
  if (listPattern.test(name)) return maxListBytes
  return name === manifestName || name === manifestChecksumName ? maxManifestBytes : undefined
}

/**
 * Reads the files of an export from an untrusted directory: follows no links, opens only files with
 * names that an export can have, and verifies checksums and size limits while reading.
 */
export class ExportReader {
  readonly manifest: ExportManifest
  readonly #directory: string
  readonly #checkedFolders = new Set<string>()

  private constructor(directory: string, manifest: ExportManifest) {
    this.#directory = directory
    this.manifest = manifest
  }

  /** Reads and checks the manifest. */
  static async open(directory: string): Promise<ExportReader> {
    const reader = new ExportReader(directory, undefined as never)
    const text = await reader.#readWhole(manifestName, maxManifestBytes)
    const checksum = (await reader.#readWhole(manifestChecksumName, 1_000)).toString()
    if (checksum !== `${hash('sha256', text, 'hex')}  ${manifestName}\n`)
      throw refusal(`${manifestName} does not have the checksum in ${manifestChecksumName}`)
    return new ExportReader(directory, parseManifest(text.toString()))
  }

  /** Yields all files with their checksums, in the order in which they were written. */
  async *list(): AsyncGenerator<ListedFile> {
    const { count, sha256 } = this.manifest.contents
    const digest = createHash('sha256')
    let listed = 0
    for (let list = 1; listed < count || list === 1; list++) {
      const name = `${checksumPrefix}${String(list).padStart(6, '0')}.sha256`
      const text = await this.#readWhole(name, maxListBytes)
      digest.update(text)
      const lines = text.toString().split('\n').slice(0, -1)
      if (lines.length === 0 || lines.length > filesPerList)
        throw refusal(`${name} has ${lines.length} lines`)
      for (const line of lines) yield parseLine(line, name)
      listed += lines.length
    }
    if (listed !== count || digest.digest('hex') !== sha256)
      throw refusal('the lists of checksums are not those of the manifest')
  }

  /** Reads one file of records. */
  async readPart({ name, sha256 }: ListedFile): Promise<Buffer> {
    const content = await this.#readWhole(name, maxPartBytes)
    if (hash('sha256', content, 'hex') !== sha256) throw refusal(`the content of ${name}`)
    return content
  }

  /** Yields the content of a file. Throws at its end if the checksum differs. */
  async *readFile({ name, sha256 }: ListedFile): AsyncGenerator<Buffer> {
    await using file = await this.#open(name)
    const digest = createHash('sha256')
    let size = 0
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      digest.update(chunk)
      size += chunk.length
      if (size > maxPictureBytes && !uploadPattern.test(name)) throw refusal(`${name} is too large`)
      yield chunk
    }
    if (digest.digest('hex') !== sha256) throw refusal(`the content of ${name}`)
  }

  async #readWhole(name: string, maxBytes: number): Promise<Buffer> {
    await using file = await this.#open(name)
    const { size } = await file.stat()
    if (size > maxBytes) throw refusal(`${name} is larger than ${maxBytes} bytes`)
    const content = Buffer.alloc(size)
    let read = 0
    while (read < size) {
      const { bytesRead } = await file.read(content, read, size - read, read)
      if (bytesRead === 0) throw refusal(`${name} became shorter while it was read`)
      read += bytesRead
    }
    return content
  }

  async #open(name: string): Promise<FileHandle> {
    const path = join(this.#directory, name)
    await this.#refuseLinkedFolders(dirname(name))
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
      throw refusal(error.code === 'ELOOP' ? `${name} is a link` : `${name}: ${error.message}`)
    })
    if ((await file.stat()).isFile()) return file
    await file.close()
    throw refusal(`${name} is not a file`)
  }

  /** Throws if a folder inside the directory is a symbolic link, which could point outside. */
  async #refuseLinkedFolders(folder: string): Promise<void> {
    if (folder === '.' || this.#checkedFolders.has(folder)) return
    await this.#refuseLinkedFolders(dirname(folder))
    const found = await lstat(join(this.#directory, folder)).catch(() => undefined)
    if (!found?.isDirectory()) throw refusal(`${folder} is not a directory`)
    this.#checkedFolders.add(folder)
  }
}

function parseManifest(text: string): ExportManifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refusal(`${manifestName} is not JSON`)
  }
  const { format, version } = json as { format?: unknown; version?: unknown }
  if (format !== exportFormat)
    throw new OperatorError(
      `This export has format ${format}, made by Oxbow ${version}; this release reads format ${exportFormat}.`,
    )
  const parsed = exportManifestSchema.safeParse(json)
  if (!parsed.success) throw refusal(`${manifestName}: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

function parseLine(line: string, list: string): ListedFile {
  const [, sha256, name = ''] = /^([0-9a-f]{64}) {2}([\w./-]{1,200})$/.exec(line) ?? []
  const type = recordsPattern.exec(name)?.[1]
  const isKnown =
    type === undefined ? uploadPattern.test(name) || picturePattern.test(name) : isType.has(type)
  if (!sha256 || !isKnown) throw refusal(`${list} names a file that an export does not have`)
  return { name, sha256, type }
}
