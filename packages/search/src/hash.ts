/**
 * Returns a signed 32-bit number for a text, as stored in the index. Matches are verified, so
 * collisions are harmless. The function must not change, because its numbers are in the database.
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
