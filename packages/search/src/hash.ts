/**
 * A signed number of 32 bits for a text, as the index has it. What it finds is looked at again, so two texts with the
 * same number do no harm. It must not change: the numbers are in the database.
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
