import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

/** Draws a PNG of one colour. */
export function pngOf(width: number, height: number, color: Color = [200, 30, 60]): Buffer {
  const line = Buffer.concat([
    Buffer.from([0]),
    Buffer.from(Array.from({ length: width }, () => color).flat()),
  ])
  const pixels = Buffer.concat(Array.from({ length: height }, () => line))
  return Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(pixels)),
    pngEnd,
  ])
}

export const pngSignature: Buffer = Buffer.from('89504e470d0a1a0a', 'hex')

/** Builds the header chunk of a PNG with three colours of eight bits each. */
export function pngHeader(width: number, height: number, interlaced = false): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, interlaced ? 1 : 0], 8)
  return pngChunk('IHDR', header)
}

export function pngChunk(type: string, content: Uint8Array): Buffer {
  const chunk = Buffer.alloc(content.length + 12)
  chunk.writeUInt32BE(content.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(content, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length)
  return chunk
}

export const pngEnd: Buffer = pngChunk('IEND', new Uint8Array())
