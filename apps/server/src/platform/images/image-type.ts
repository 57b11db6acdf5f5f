/** Kinds of pictures that we read. Every decoder is a door: the others (SVG, TIFF, AVIF, …) stay shut. */
export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp'

const beginnings: readonly [ImageType, at: number, hex: string][] = [
  ['png', 0, '89504e470d0a1a0a'],
  ['jpeg', 0, 'ffd8ff'],
  ['gif', 0, '474946383761'],
  ['gif', 0, '474946383961'],
  // After `RIFF` and a length.
  ['webp', 8, '57454250'],
]

/** By how it begins: names and headers say what their senders like. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString('hex')
  return beginnings.find(([, at, hex]) => beginning.startsWith(hex, at * 2))?.[0]
}
