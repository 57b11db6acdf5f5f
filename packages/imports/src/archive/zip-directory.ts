import type { FileHandle } from 'node:fs/promises'
import { ImportRefusal } from '../refusal.ts'
import { maxEntries } from './limits.ts'

export interface ZipEntry {
  name: string
  method: number
  crc: number
  packedSize: number
  size: number
  /** Position of the local header, which stands before the content. */
  offset: number
}

const endSignature = 0x06054b50
const endBytes = 22
const end64Signature = 0x06064b50
const end64Bytes = 56
const locatorSignature = 0x07064b50
const locatorBytes = 20
const entrySignature = 0x02014b50
const entryBytes = 46
const maxComment = 65_535
const [full16, full32] = [0xffff, 0xffffffff]
const pieceBytes = 1_048_576
const encryptedFlag = 1
const symbolicLink = 0o120000
const fileTypeMask = 0o170000

/** Reads the list of files at the end of a ZIP file, in pieces. Folders and symbolic links are left out. */
export async function readCentralDirectory(file: FileHandle, fileSize: number): Promise<ZipEntry[]> {
  const { count, offset, size } = await findDirectory(file, fileSize)
  if (count > maxEntries) throw refuse(`it has more than ${maxEntries} files`)
  if (offset + size > fileSize) throw refuse('its list of files is cut off')
  const entries: ZipEntry[] = []
  const reader = new PieceReader(file, offset, offset + size)
  for (let index = 0; index < count; index++) {
    const head = await reader.take(entryBytes)
    if (head.readUInt32LE(0) !== entrySignature) throw refuse('its list of files is broken')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) => head.readUInt16LE(at)) as [
      number,
      number,
      number,
    ]
    const rest = await reader.take(nameLength + extraLength + commentLength)
    const entry = parseEntry(
      head,
      rest.subarray(0, nameLength),
      rest.subarray(nameLength, nameLength + extraLength),
    )
    if (entry) entries.push(entry)
  }
  refuseOverlaps(entries, offset)
  return entries
}

function parseEntry(head: Buffer, rawName: Buffer, extra: Buffer): ZipEntry | undefined {
  const name = decodeName(rawName)
  const isLink = ((head.readUInt32LE(38) >>> 16) & fileTypeMask) === symbolicLink
  if (name.endsWith('/') || isLink) return undefined
  if ((head.readUInt16LE(8) & encryptedFlag) !== 0)
    throw refuse(`${name} is encrypted. Unpack it with its password, and name the folder`)
  const large = readLargeSizes(extra, {
    size: head.readUInt32LE(24),
    packedSize: head.readUInt32LE(20),
    offset: head.readUInt32LE(42),
  })
  return { name, method: head.readUInt16LE(10), crc: head.readUInt32LE(16), ...large }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes a name as UTF-8, whether or not the flag for it is set, because chat systems write UTF-8 without
 * the flag. Other names are read as Latin letters.
 */
function decodeName(raw: Buffer): string {
  try {
    return utf8.decode(raw)
  } catch {
    return raw.toString('latin1')
  }
}

type Sizes = Pick<ZipEntry, 'size' | 'packedSize' | 'offset'>

/** Replaces sizes that do not fit into 32 bits by those of the ZIP64 field. */
function readLargeSizes(extra: Buffer, sizes: Sizes): Sizes {
  const isLarge = Object.values(sizes).includes(full32)
  if (!isLarge) return sizes
  for (let at = 0; at + 4 <= extra.length; ) {
    const [kind, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)]
    if (kind === 1) {
      const field = extra.subarray(at + 4, at + 4 + length)
      let next = 0
      const take = (value: number) => {
        if (value !== full32) return value
        if (next + 8 > field.length) throw refuse('a size is missing in its list of files')
        next += 8
        return toSafe(field.readBigUInt64LE(next - 8))
      }
      return { size: take(sizes.size), packedSize: take(sizes.packedSize), offset: take(sizes.offset) }
    }
    at += 4 + length
  }
  throw refuse('a size is missing in its list of files')
}

function toSafe(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw refuse('a size in its list of files is impossible')
  return Number(value)
}

async function findDirectory(file: FileHandle, fileSize: number) {
  const tailBytes = Math.min(fileSize, endBytes + maxComment + locatorBytes)
  const tail = await readAt(file, fileSize - tailBytes, tailBytes)
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endSignature || at + endBytes + tail.readUInt16LE(at + 20) !== tail.length)
      continue
    const found = {
      count: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    if (found.count !== full16 && found.size !== full32 && found.offset !== full32) return found
    return (await findLargeDirectory(file, tail, at)) ?? found
  }
  throw new ImportRefusal(
    'The file is not a ZIP archive, or it is cut off. Name the archive as it was downloaded, or the folder into which it was unpacked.',
  )
}

async function findLargeDirectory(file: FileHandle, tail: Buffer, endAt: number) {
  const at = endAt - locatorBytes
  if (at < 0 || tail.readUInt32LE(at) !== locatorSignature) return undefined
  const record = await readAt(file, toSafe(tail.readBigUInt64LE(at + 8)), end64Bytes)
  if (record.length < end64Bytes || record.readUInt32LE(0) !== end64Signature)
    throw refuse('its end is broken')
  return {
    count: toSafe(record.readBigUInt64LE(32)),
    size: toSafe(record.readBigUInt64LE(40)),
    offset: toSafe(record.readBigUInt64LE(48)),
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Two files in the same bytes could make a small archive arbitrarily large. */
function refuseOverlaps(entries: readonly ZipEntry[], directoryAt: number): void {
  let end = 0
  for (const { name, offset, packedSize } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end || offset + packedSize > directoryAt)
      throw refuse(`${name} lies in the bytes of another file`)
    end = offset + packedSize
  }
}

const refuse = (problem: string): ImportRefusal => new ImportRefusal(`The archive is refused: ${problem}.`)

/** Reads a range of a file in pieces of a megabyte. */
class PieceReader {
  readonly #file: FileHandle
  readonly #end: number
  #position: number
  #piece: Buffer = Buffer.alloc(0)

  constructor(file: FileHandle, start: number, end: number) {
    this.#file = file
    this.#position = start
    this.#end = end
  }

  async take(length: number): Promise<Buffer> {
    if (this.#piece.length < length) {
      const wanted = Math.min(Math.max(pieceBytes, length), this.#end - this.#position)
      const more = await readAt(this.#file, this.#position, wanted)
      this.#position += more.length
      this.#piece = Buffer.concat([this.#piece, more])
    }
    if (this.#piece.length < length) throw refuse('its list of files is cut off')
    const taken = this.#piece.subarray(0, length)
    this.#piece = this.#piece.subarray(length)
    return taken
  }
}
