/**
 * Image formats that we decode. Others (SVG, TIFF, AVIF, …) are refused, because every decoder is
 * an attack surface.
 */
export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp'

const beginnings: readonly [ImageType, at: number, hex: string][] = [
  ['png', 0, '89504e470d0a1a0a'],
  ['jpeg', 0, 'ffd8ff'],
  ['gif', 0, '474946383761'],
  ['gif', 0, '474946383961'],
  // After `RIFF` and a length.
  ['webp', 8, '57454250'],
]

/** Detects the format by its first bytes, because file names and headers can be forged. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString('hex')
  return beginnings.find(([, at, hex]) => beginning.startsWith(hex, at * 2))?.[0]
}
