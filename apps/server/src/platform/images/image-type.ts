/**
 * Image formats that the server decodes. Others (SVG, TIFF, AVIF, …) are refused, because every decoder is an
 * attack surface.
 */
export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp'

/** The first bytes of each format, in hexadecimal. */
const beginnings: readonly [ImageType, beginning: RegExp][] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^47494638(37|39)61/],
  // `RIFF`, a length of four bytes, and `WEBP`.
  ['webp', /^52494646.{8}57454250/],
]

/** Detects the format by its first bytes, because file names and headers can be forged. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex')
  return beginnings.find(([, beginning]) => beginning.test(start))?.[0]
}
