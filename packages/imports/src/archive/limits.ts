import { ImportRefusal } from '../refusal.ts'

export const maxEntries = 5_000_000
const mebibyte = 1_048_576
/** Up to this size, a file may be compressed as well as it likes. */
const freeBytes = 100 * mebibyte
/** Texts rarely compress to less than a twentieth. */
const maxRatio = 200

/** Throws for a file that was made to fill the memory or the disk of its reader. */
export function refuseBomb(name: string, packedBytes: number, bytes: number): void {
  if (bytes <= freeBytes || bytes <= packedBytes * maxRatio) return
  throw new ImportRefusal(
    `The archive is refused: ${name} grows from ${packedBytes} bytes to more than ${bytes}. Such a file was made to fill a disk.`,
  )
}
