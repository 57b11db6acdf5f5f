import { type ImageType, imageType } from './image-type.ts'

/** Properties of a picture, read from its header. */
export interface PictureHeader {
  /** Size of the picture in pixels as it is shown, with the camera's orientation applied. */
  width: number
  height: number
  /** Null if it is known only after decoding. */
  isAnimated: boolean | null
}

type Sides = Pick<PictureHeader, 'width' | 'height'>

/** The maximum number of bytes from the start of a file that `readPictureHeader` needs. */
export const pictureHeadLength = 262_144

/** Larger sizes are regarded as wrong, because no browser shows such a picture. */
const maxSide = 65_535

/**
 * Reads the header of a picture from the first bytes of its file, without decoding it. Returns
 * undefined for other files, and for headers that are broken or longer than `head`.
 */
export function readPictureHeader(head: Buffer): PictureHeader | undefined {
  const type = imageType(head)
  if (!type) return undefined
  try {
    const sides = readers[type](head)
    if (!sides || !isPlausible(sides.width) || !isPlausible(sides.height)) return undefined
    return { ...sides, isAnimated: isAnimated(type, head) }
  } catch (error) {
    // The header continues after the end of `head`.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const isPlausible = (side: number): boolean => side >= 1 && side <= maxSide

function isAnimated(type: ImageType, head: Buffer): boolean | null {
  // Animated PNGs are treated as still, because the decoder shows their first frame only.
  if (type === 'png' || type === 'jpeg') return false
  if (type === 'webp') return head.toString('latin1', 12, 16) === 'VP8X' && (head.readUInt8(20) & 2) !== 0
  // Almost every animation has this block, which says how often it is repeated.
  return head.includes('NETSCAPE2.0') ? true : null
}

const readers: Record<ImageType, (head: Buffer) => Sides | undefined> = {
  png: (head) =>
    head.toString('latin1', 12, 16) === 'IHDR'
      ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
      : undefined,
  gif: (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  webp: readWebp,
  jpeg: readJpeg,
}

function readWebp(head: Buffer): Sides | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

/** Reads the segments up to the one with the size. The orientation is in an earlier segment. */
function readJpeg(head: Buffer): Sides | undefined {
  let isRotated = false
  for (let at = 2; ; ) {
    if (head.readUInt8(at) !== 0xff) return undefined
    const marker = head.readUInt8(at + 1)
    // Bytes with the value 0xff may pad the space before a segment.
    if (marker === 0xff) {
      at++
      continue
    }
    const length = head.readUInt16BE(at + 2)
    if (isFrame(marker)) {
      const [height, width] = [head.readUInt16BE(at + 5), head.readUInt16BE(at + 7)]
      return isRotated ? { width: height, height: width } : { width, height }
    }
    // The pixels begin, or the file ends, so no size can follow.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined
    if (marker === 0xe1 && head.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      isRotated = hasSidesSwapped(head.subarray(at + 10, at + 2 + length))
    at += 2 + length
  }
}

/** Returns whether the marker begins a frame: from 0xc0 to 0xcf, except for tables and reserved markers. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const orientationTag = 0x0112

/**
 * Returns whether the orientation in EXIF data rotates the picture by 90 degrees, so that width and height
 * are swapped.
 */
function hasSidesSwapped(exif: Buffer): boolean {
  const order = exif.toString('latin1', 0, 2)
  if ((order !== 'II' && order !== 'MM') || exif.length < 8) return false
  const read16 = (at: number) => (order === 'II' ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const directory = order === 'II' ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  if (directory + 2 > exif.length) return false
  const count = read16(directory)
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
    if (entry + 10 > exif.length) return false
    if (read16(entry) === orientationTag) return read16(entry + 8) >= 5 && read16(entry + 8) <= 8
  }
  return false
}
