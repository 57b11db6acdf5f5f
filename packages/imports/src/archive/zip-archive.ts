import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { ImportRefusal } from '../refusal.ts'
import type { Archive, ArchiveFile } from './archive.ts'
import { refuseBomb } from './limits.ts'
import { normalizeNames } from './names.ts'
import { readCentralDirectory, type ZipEntry } from './zip-directory.ts'

const localHeaderBytes = 30
const localSignature = 0x04034b50
const [stored, deflated] = [0, 8]
const pieceBytes = 262_144

/**
 * Opens a ZIP file by its central directory, so that any number of gigabytes is read as a stream. Sizes and
 * checksums that the file claims are compared with what arrives.
 */
export async function openZip(path: string): Promise<Archive> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const entries = await readCentralDirectory(file, size)
    const digest = createHash('sha256')
    const found = new Map<string, ArchiveFile>()
    for (const entry of entries) {
      digest.update(`${entry.name}\0${entry.size}\0${entry.crc}\n`)
      if (found.has(entry.name))
        throw new ImportRefusal(`The archive has two files of the name ${entry.name}. Pack it again.`)
      found.set(entry.name, { size: entry.size, read: () => readEntry(file, entry) })
    }
    const { files, ignored } = normalizeNames(found)
    return {
      files,
      ignored,
      bytes: size,
      fingerprint: digest.digest('hex'),
      [Symbol.asyncDispose]: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* readEntry(file: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { name, method, packedSize, size, crc } = entry
  if (method !== stored && method !== deflated)
    throw damaged(name, `it is compressed by the method ${method}. Pack the archive again`)
  const packed = Readable.from(readPacked(file, entry), { objectMode: false })
  const content = method === stored ? packed : packed.pipe(createInflateRaw())
  packed.on('error', (error) => content.destroy(error))
  let [read, sum] = [0, 0]
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      read += chunk.length
      sum = crc32(chunk, sum)
      if (read > size) throw damaged(name, 'it is longer than the archive says')
      refuseBomb(name, packedSize, read)
      yield chunk
    }
  } catch (error) {
    throw error instanceof ImportRefusal ? error : damaged(name, (error as Error).message)
  } finally {
    packed.destroy()
    content.destroy()
  }
  if (read !== size || sum !== crc)
    throw damaged(name, 'its size or its checksum is not the one in the archive')
}

async function* readPacked(file: FileHandle, { name, offset, packedSize }: ZipEntry): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(localHeaderBytes)
  const { bytesRead } = await file.read(header, 0, localHeaderBytes, offset)
  if (bytesRead < localHeaderBytes || header.readUInt32LE(0) !== localSignature)
    throw damaged(name, 'it is not where the archive says')
  let position = offset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = position + packedSize
  while (position < end) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - position))
    const { bytesRead: length } = await file.read(piece, 0, piece.length, position)
    if (length === 0) throw damaged(name, 'the archive ends in it')
    position += length
    yield piece.subarray(0, length)
  }
}

const damaged = (name: string, problem: string): ImportRefusal =>
  new ImportRefusal(`The archive is damaged at ${name}: ${problem}. Download it again.`)
