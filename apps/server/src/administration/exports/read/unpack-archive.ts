import { createReadStream } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ByteReader } from '../../../platform/archive/byte-reader.ts'
import { manifestChecksumName } from '../../../platform/archive/manifest.ts'
import { blockBytes, endOfArchive, parseHeader, parsePax } from '../../../platform/archive/tar-format.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { findMaxBytes } from './export-reader.ts'
import { refusal } from './refuse.ts'

/** Maximum size of a pax header. Those of an export have only a name and a size. */
const maxPaxBytes = 4_096
/** Free space in bytes that must remain after the archive is unpacked. */
const minRemainingBytes = 64 * 1_048_576

/** Size in bytes of the blocks that file systems commonly assign. */
const diskBlockBytes = 4_096

interface Entry {
  name: string
  size: number
}

/** Returns the disk space in bytes that a file takes. Even an empty file takes a block. */
const spaceFor = ({ size }: Entry): number => (Math.ceil(size / diskBlockBytes) + 1) * diskBlockBytes

/**
 * Unpacks the archive of an export, a tar file that may be compressed, into an empty directory. The
 * archive is untrusted: before anything is written, a first pass refuses it unless all names and
 * sizes are possible in an export and everything fits on the disk. The import verifies the
 * checksums. Memory does not grow with the size of the archive.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  onProgress: (step: string, done: number, total: number) => void,
): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  const available = bavail * bsize - minRemainingBytes
  const needed = await readEntries(archive, available, () => undefined)
  const folders = new Set<string>()
  let unpacked = 0
  // The archive must not grow between the two passes.
  await readEntries(archive, needed, async (entry, content) => {
    const { name } = entry
    const path = join(directory, name)
    if (!folders.has(dirname(path))) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    folders.add(dirname(path))
    await using file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? refusal(`the archive has two files ${name}`) : cannotUnpack(error)
    })
    for await (const piece of content)
      await file.appendFile(piece).catch((error) => Promise.reject(cannotUnpack(error)))
    unpacked += spaceFor(entry)
    onProgress('unpacking', unpacked, needed)
  })
}

/** Builds the error for a directory that cannot be written, with advice on what to do instead. */
export function cannotUnpack(error: Error): OperatorError {
  return new OperatorError(
    `The archive cannot be unpacked beside itself: ${error.message}. Unpack it elsewhere with tar, and import the directory. Nothing was imported.`,
  )
}

/**
 * Calls `visit` for each file of an archive, with its content, and returns the disk space that all
 * files take. Skips content that `visit` does not read. Throws if the files take more than
 * `maxBytes`.
 */
async function readEntries(
  archive: string,
  maxBytes: number,
  visit: (entry: Entry, content: AsyncIterable<Buffer>) => Promise<void> | undefined,
): Promise<number> {
  const reader = new ByteReader(await openArchive(archive))
  let total = 0
  let last = ''
  try {
    for (let entry = await readHeader(reader, last); entry; entry = await readHeader(reader, last)) {
      total += spaceFor(entry)
      if (total > maxBytes)
        throw new OperatorError(
          `The unpacked archive takes more than the ${maxBytes} bytes that are free on the disk. Nothing was imported.`,
        )
      last = entry.name
      const end = reader.position + entry.size
      await visit(entry, reader.pieces(entry.size))
      for await (const _skipped of reader.pieces(end - reader.position));
      const padding = await reader.read((blockBytes - (entry.size % blockBytes)) % blockBytes)
      if (reader.position < end || padding.some((byte) => byte !== 0))
        throw refusal(`the archive ends in ${last}`)
    }
    return total
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw refusal(`the archive cannot be decompressed: ${(error as Error).message}`)
    throw error
  } finally {
    await reader.close()
  }
}

/** Opens an archive, and decompresses it if it has the signature of a gzip file. */
async function openArchive(path: string): Promise<AsyncIterable<Buffer>> {
  const magic = Buffer.alloc(2)
  {
    await using file = await open(path)
    await file.read(magic, 0, 2, 0)
  }
  const content = createReadStream(path, { highWaterMark: 262_144 })
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) return content
  // If either stream fails, the iteration ends with its error.
  return pipeline(content, createGunzip({ chunkSize: 262_144 }), () => {})
}

/** Reads the header of the next file. Returns undefined at the end of the archive. */
async function readHeader(reader: ByteReader, last: string): Promise<Entry | undefined> {
  const block = await reader.read(blockBytes)
  if (block.length === blockBytes && block.equals(endOfArchive.subarray(0, blockBytes))) {
    const rest = await reader.read(blockBytes + 1)
    if (last !== manifestChecksumName || !rest.equals(block))
      throw refusal('the archive is not complete, or has more than an export')
    return undefined
  }
  const entry = await parseEntry(reader, block).catch((error: unknown) => {
    if (error instanceof OperatorError) throw notAnExport(last)
    throw error
  })
  const maxBytes = findMaxBytes(entry.name)
  if (maxBytes === undefined)
    throw refusal(`the archive has a file that an export does not have: ${JSON.stringify(entry.name)}`)
  if (entry.size > maxBytes) throw refusal(`${entry.name} is larger than ${maxBytes} bytes`)
  return entry
}

async function parseEntry(reader: ByteReader, block: Buffer): Promise<Entry> {
  if (block.length < blockBytes) throw new OperatorError('the archive ends early')
  const header = parseHeader(block)
  if (!header.isPax) return header
  if (header.size > maxPaxBytes) throw new OperatorError('a header is too large')
  const records = await reader.read(Math.ceil(header.size / blockBytes) * blockBytes)
  const plain = parseHeader(await reader.read(blockBytes))
  if (plain.isPax) throw new OperatorError('a header describes a header')
  return parsePax(records.subarray(0, header.size))
}

const notAnExport = (last: string): OperatorError =>
  last === ''
    ? new OperatorError(
        'The file is not an archive of an export as Oxbow writes it. If it was packed by another program, unpack it with tar, and import the directory. Nothing was imported.',
      )
    : refusal(`the archive is damaged after ${last}, or has entries that are not files`)
