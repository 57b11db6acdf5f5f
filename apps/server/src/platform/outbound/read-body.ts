import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib'
import { OutboundRefusal } from './outbound-refusal.ts'

/**
 * Reads and decompresses a body. Throws `OutboundRefusal` if the body is larger than `maxBytes`, before or
 * after decompression.
 */
export async function readResponseBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const packed = await collect(body, maxBytes)
  const coding = encoding.trim().toLowerCase()
  if (packed.length === 0 || coding === '' || coding === 'identity') return packed
  const unpack = findDecompressor(coding, packed)
  if (!unpack) throw new OutboundRefusal('bad response')
  return unpack(packed, maxBytes).catch((error: NodeJS.ErrnoException) => {
    throw new OutboundRefusal(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'bad response', error)
  })
}

async function collect(body: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw new OutboundRefusal('too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

type Decompress = (packed: Buffer, maxOutputLength: number) => Promise<Buffer>

/** Some servers omit the end of a compressed body, and browsers accept that. */
const finishFlush = constants.Z_SYNC_FLUSH

const withZlib =
  (run: typeof gunzip): Decompress =>
  (packed, maxOutputLength) =>
    promisify<Buffer, object, Buffer>(run)(packed, { finishFlush, maxOutputLength })

const withBrotli: Decompress = (packed, maxOutputLength) =>
  promisify<Buffer, object, Buffer>(brotliDecompress)(packed, { maxOutputLength })

function findDecompressor(coding: string, packed: Buffer): Decompress | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return withZlib(gunzip)
  if (coding === 'br') return withBrotli
  if (coding !== 'deflate') return undefined
  // Some servers send deflate without the zlib header. The header contains the method, which is always 8.
  return withZlib(((packed[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)
}
