/**
 * Returns the signed 32-bit number for a text that the index stores. Collisions are harmless,
 * because matches are verified. The function must never change, because the database contains its
 * results.
 */
export function hash(text: string): number {
  let mixed = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193)
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
