import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pngChunk, pngEnd, pngHeader, pngSignature } from '../picture.ts'

/** Returns 64 × 64 random pixels. They cannot be compressed, so that every part of the file matters. */
export async function createNoiseImage(format: 'png' | 'jpeg' | 'gif' | 'webp'): Promise<Buffer> {
  let seed = 12_345
  const pixels = Buffer.from(
    Array.from({ length: 64 * 64 * 3 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed >> 16
    }).map((value) => value & 255),
  )
  const raw = { width: 64, height: 64, channels: 3 } as const
  return sharp(pixels, { raw }).toFormat(format).toBuffer()
}

/** Returns a PNG with these chunks between header and end. */
export function png(width: number, height: number, ...chunks: Uint8Array[]): Buffer {
  return Buffer.concat([pngSignature, pngHeader(width, height), ...chunks, pngEnd])
}

/** Returns compressed pixels of a black picture, or of its first lines. */
export function encodeBlackLines(width: number, lines: number): Buffer {
  return pngChunk('IDAT', deflateSync(Buffer.alloc((width * 3 + 1) * lines)))
}

export const smallPng = (...chunks: Uint8Array[]): Buffer => png(8, 8, ...chunks, encodeBlackLines(8, 8))

/** Inserts a segment directly after the start marker of a JPEG. */
export function withSegment(jpeg: Buffer, marker: number, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as string)
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, bytes, jpeg.subarray(2)])
}

/** Changes the size that the header of a JPEG states. */
export function resizedJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg)
  const start = [0xc0, 0xc1, 0xc2].map((marker) => changed.indexOf(Buffer.from([0xff, marker, 0])))
  const at = Math.max(...start)
  changed.writeUInt16BE(height, at + 5)
  changed.writeUInt16BE(width, at + 7)
  return changed
}

const gifFrame = Buffer.from('21f904000a000000' + '2c00000000010001000002024401' + '00', 'hex')

/** Returns a GIF with frames of one pixel each, and optional blocks before the first. */
export function gif(
  width: number,
  height: number,
  frames = 1,
  extension: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return Buffer.concat([
    head,
    extension,
    ...Array.from({ length: frames }, () => gifFrame),
    Buffer.from([0x3b]),
  ])
}

export function gifComment(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), Buffer.from(text), Buffer.from([0])])
}

export function riff(...chunks: [type: string, content: Uint8Array][]): Buffer {
  const body = Buffer.concat(
    chunks.map(([type, content]) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32LE(content.length, 4)
      return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
    }),
  )
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

/** Returns the header of a lossless WebP of this size, without pixels. */
export function losslessWebp(width: number, height: number): Buffer {
  const head = Buffer.alloc(40)
  head[0] = 0x2f
  head.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  return riff(['VP8L', head])
}
