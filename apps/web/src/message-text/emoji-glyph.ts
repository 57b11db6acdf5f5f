const keycap = '\u20e3'

/** Returns the character of an emoji code such as 1f1e9-1f1ea; undefined if the code is invalid. */
export function emojiGlyph(code: string): string | undefined {
  const points = code.split('-').map((part) => Number.parseInt(part, 16))
  if (points.some((point) => !(point > 0 && point <= 0x10ffff))) return undefined
  const [first = '', ...others] = points.map((point) => String.fromCodePoint(point))
  // Without the variation selector, browsers draw some emoji as plain text characters without colours.
  const isText = others.length === 0 || others[0] === keycap
  return first + (isText && !/\p{Emoji_Presentation}/u.test(first) ? '\ufe0f' : '') + others.join('')
}
