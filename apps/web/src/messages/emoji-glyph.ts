/** Returns the character of an emoji code such as 1f1e9-1f1ea; undefined if the code is invalid. */
export function emojiGlyph(code: string): string | undefined {
  const points = code.split('-').map((part) => Number.parseInt(part, 16))
  if (points.some((point) => !(point > 0 && point <= 0x10ffff))) return undefined
  // Without the variation selector, browsers draw older emoji as plain text characters.
  const isOld = points.length === 1 && (points[0] ?? 0) < 0x1f000
  return String.fromCodePoint(...points) + (isOld ? '\ufe0f' : '')
}
