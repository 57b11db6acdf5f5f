import { deflateSync } from 'node:zlib'
import { pngChunk, pngHeader, pngSignature } from '../picture.ts'
import { createNoiseImage, encodeBlackLines, gif, png, resizedJpeg, smallPng } from './formats.ts'
import type { HostileImage } from './hostile-image.ts'

const formats = ['png', 'jpeg', 'gif', 'webp'] as const
const cuts = [0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97]

/** Returns pictures that are truncated or incomplete. */
export async function broken(): Promise<HostileImage[]> {
  const pictures = await Promise.all(
    formats.map(async (format) => [format, await createNoiseImage(format)] as const),
  )
  const cut = pictures.flatMap(([format, bytes]) =>
    cuts.map((part) =>
      bad(`${100 * part} % of a ${format}`, bytes.subarray(0, Math.floor(bytes.length * part))),
    ),
  )
  const flipped = pictures.flatMap(([format, picture]) =>
    [0.3, 0.6].map((part): HostileImage => {
      const bytes = Buffer.from(picture)
      const at = Math.floor(picture.length * part)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      return { title: `a ${format} with an inverted byte`, make: () => bytes, outcome: 'either' }
    }),
  )
  const jpeg = await createNoiseImage('jpeg')
  const withoutTables = Buffer.from(jpeg)
  withoutTables[jpeg.indexOf(Buffer.from('ffdb', 'hex')) + 1] = 0xfe
  return [
    ...cut,
    ...flipped,
    bad('a PNG whose header has a wrong checksum', withWrongChecksum(smallPng(), 'IHDR')),
    bad('a PNG whose pixels have a wrong checksum', withWrongChecksum(smallPng(), 'IDAT')),
    bad('a PNG without pixels', png(8, 8)),
    bad('a PNG with invalid pixel data', png(8, 8, pngChunk('IDAT', Buffer.from('nonsense')))),
    bad('a PNG with too few pixels', png(100, 100, encodeBlackLines(100, 10))),
    bad('a PNG of width 0', png(0, 8, encodeBlackLines(0, 8))),
    bad('a PNG of height 0', png(8, 0, encodeBlackLines(8, 0))),
    bad('a PNG with an invalid bit depth', png(8, 8).fill(3, 24, 25)),
    bad(
      'a PNG whose pixels precede its header',
      Buffer.concat([pngSignature, encodeBlackLines(8, 8), pngHeader(8, 8)]),
    ),
    bad(
      'a PNG with filters that are not defined',
      png(8, 8, pngChunk('IDAT', deflateSync(Buffer.alloc(200, 9)))),
    ),
    bad('a JPEG without quantization tables', withoutTables),
    bad('a JPEG of width 0', resizedJpeg(jpeg, 0, 64)),
    // Accepted, because the frame itself has a size.
    { title: 'a GIF of size 0 × 0', make: () => gif(0, 0), outcome: 'accepted' },
    bad('a GIF without a frame', gif(8, 8, 0)),
  ]
}

const bad = (title: string, bytes: Uint8Array): HostileImage => ({
  title,
  make: () => bytes,
  outcome: 'unreadable',
})

function withWrongChecksum(bytes: Buffer, chunk: string): Buffer {
  const at = bytes.indexOf(chunk)
  const length = bytes.readUInt32BE(at - 4)
  bytes.writeUInt32BE(0xdeadbeef, at + 4 + length)
  return bytes
}
