import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pngChunk, pngEnd, pngHeader, pngSignature } from '../picture.ts'
import {
  createNoiseImage,
  encodeBlackLines,
  gif,
  losslessWebp,
  png,
  resizedJpeg,
  riff,
  smallPng,
} from './formats.ts'
import type { HostileImage, Outcome } from './hostile-image.ts'

/** Returns small files that decode to large pictures or take long to decode. */
export function decompressionBombs(): HostileImage[] {
  return [
    large('a PNG of 50,000 × 50,000 in some kilobytes', () =>
      png(50_000, 50_000, encodeBlackLines(50_000, 20)),
    ),
    large('an interlaced PNG of 50,000 × 50,000', () => interlaced(50_000, 50_000)),
    large('a PNG just above the limit', () => png(5_001, 5_000, encodeBlackLines(5_001, 5_000))),
    large('a PNG that is very tall', () => png(30, 1_000_000, encodeBlackLines(30, 1_000))),
    either('a PNG that is very wide', () => png(1_000_000, 30, encodeBlackLines(1_000_000, 1))),
    either('a PNG of the maximum width and height', () =>
      png(0x7fffffff, 0x7fffffff, encodeBlackLines(8, 8)),
    ),
    either('a PNG of a negative size', () => png(0xffffffff, 0xffffffff, encodeBlackLines(8, 8))),
    large('a JPEG of 65,500 × 65,500', async () =>
      resizedJpeg(await createNoiseImage('jpeg'), 65_500, 65_500),
    ),
    large('a progressive JPEG of 65,500 × 65,500', async () =>
      resizedJpeg(await progressiveNoise(), 65_500, 65_500),
    ),
    // Accepted, because the limit applies to the area that the frames cover.
    fine('a GIF whose header states 65,535 × 65,535', () => gif(65_535, 65_535)),
    either('a GIF with a small screen and a large frame', largeFrame),
    large('a WebP just above the limit', () => dark({ width: 5_001 }).webp({ lossless: true }).toBuffer()),
    either('a WebP whose header states 16,384 × 16,384', () => losslessWebp(16_384, 16_384)),
    either('a WebP with a large, empty canvas', emptyCanvas),
    { ...fine('a GIF of 100,000 frames', () => gif(1, 1, 100_000)), animatedOutcome: 'too large' },
    { ...fine('a GIF of 20 large frames', () => gif(2_000, 2_000, 20)), animatedOutcome: 'too large' },
    fine('a PNG of the maximum area', () => png(5_000, 5_000, encodeBlackLines(5_000, 5_000))),
    fine('an interlaced PNG of the maximum area', () => dark({}).png({ progressive: true }).toBuffer()),
    fine('a progressive JPEG of the maximum area', () => dark({}).jpeg({ progressive: true }).toBuffer()),
    fine('a WebP of the maximum area', () => dark({}).webp({ lossless: true }).toBuffer()),
    either('a JPEG with many scans', async () =>
      repeatLastScan(await dark({ width: 4_000 }).jpeg({ progressive: true }).toBuffer()),
    ),
    either('a PNG with a text of 300 MB', () =>
      smallPng(pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), zeros()]))),
    ),
    either('a PNG with a colour profile of 300 MB', () =>
      smallPng(pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), zeros()]))),
    ),
    either('a PNG with more pixels than its header states', () => png(8, 8, pngChunk('IDAT', zeros()))),
    either('a PNG of 100,000 text chunks', () => smallPng(many(pngChunk('tEXt', Buffer.from('a\0b'))))),
    either('a PNG of 100,000 pixel chunks', () => png(8, 8, many(pngChunk('IDAT', Buffer.alloc(1))))),
  ]
}

const withOutcome =
  (outcome: Outcome) =>
  (title: string, make: HostileImage['make']): HostileImage => ({ title, make, outcome })
const [large, fine, either] = [withOutcome('too large'), withOutcome('accepted'), withOutcome('either')]

let deflatedZeros: Buffer | undefined

/** Returns 300 MB of zeros, compressed once for all pictures. */
const zeros = (): Buffer => (deflatedZeros ??= deflateSync(Buffer.alloc(300_000_000)))

const progressiveNoise = async (): Promise<Buffer> =>
  sharp(await createNoiseImage('jpeg'))
    .jpeg({ progressive: true })
    .toBuffer()

function emptyCanvas(): Buffer {
  const canvas = Buffer.alloc(10)
  canvas.writeUIntLE(16_382, 4, 3)
  canvas.writeUIntLE(16_382, 7, 3)
  return riff(['VP8X', canvas])
}

const many = (chunk: Uint8Array): Buffer => Buffer.concat(Array.from({ length: 100_000 }, () => chunk))

function interlaced(width: number, height: number): Buffer {
  return Buffer.concat([pngSignature, pngHeader(width, height, true), encodeBlackLines(width, 20), pngEnd])
}

const dark = ({ width = 5_000, height = 5_000 }) =>
  sharp({ create: { width, height, channels: 3, background: '#123' } })

/** Repeats the last scan of a progressive JPEG. Each scan makes the decoder process the whole picture. */
function repeatLastScan(jpeg: Buffer): Buffer {
  const start = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'))
  const scan = jpeg.subarray(start, -2)
  const times = Math.min(2_000, Math.floor(4_500_000 / scan.length))
  return Buffer.concat([
    jpeg.subarray(0, start),
    ...Array.from({ length: times }, () => scan),
    jpeg.subarray(-2),
  ])
}

function largeFrame(): Buffer {
  const bytes = gif(1, 1)
  const frame = bytes.indexOf(0x2c, 20)
  bytes.writeUInt16LE(65_535, frame + 5)
  bytes.writeUInt16LE(65_535, frame + 7)
  return bytes
}
