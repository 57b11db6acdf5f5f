/** The visible text of a message's HTML, with a mapping back to positions in the HTML. */
export interface HtmlText {
  text: string
  pieces: readonly Piece[]
}

/** A piece of text between tags. */
export interface Piece {
  /** Start position in the text. */
  start: number
  end: number
  /** Start position in the HTML. */
  htmlStart: number
  htmlEnd: number
  /** Start of each character in the HTML. Present if some characters are written as entities. */
  offsets?: readonly number[]
}

/** Elements that separate words. A word continues across all other elements. */
const separatingElements =
  /^<\/?(?:p|div|li|ul|ol|dl|dt|dd|blockquote|pre|h[1-6]|table|thead|tbody|tr|td|th|br|hr|img|video|audio)\b/
/**
 * Elements without visible text. A formula is in the HTML twice, and highlighting would break the
 * hidden copy.
 */
const hiddenElements = /^<(math|svg|script|style)\b/
const tag = /<(?:"[^"]*"|'[^']*'|[^'">])*>/y
const entity = /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi
const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

export function readHtml(html: string): HtmlText {
  const pieces: Piece[] = []
  let text = ''
  // Joined texts are copied when their end is read, so the end is kept.
  let isAtLineEnd = false
  let at = 0
  while (at < html.length) {
    if (html[at] !== '<') {
      const next = html.indexOf('<', at)
      const end = next === -1 ? html.length : next
      const piece = readPiece(html, at, end, text.length)
      pieces.push(piece)
      text += piece.text
      isAtLineEnd = piece.text.endsWith('\n')
      at = end
      continue
    }
    tag.lastIndex = at
    const found = tag.exec(html)?.[0] ?? html.slice(at)
    if (!isAtLineEnd && separatingElements.test(found)) {
      text += '\n'
      isAtLineEnd = true
    }
    at += found.length
    const hiddenElement = hiddenElements.exec(found)?.[1]
    if (hiddenElement && !found.endsWith('/>')) {
      const close = html.indexOf(`</${hiddenElement}>`, at)
      at = close === -1 ? html.length : close
    }
  }
  return { text, pieces }
}

function readPiece(
  html: string,
  htmlStart: number,
  htmlEnd: number,
  start: number,
): Piece & { text: string } {
  const raw = html.slice(htmlStart, htmlEnd)
  if (!raw.includes('&')) return { text: raw, start, end: start + raw.length, htmlStart, htmlEnd }
  const offsets: number[] = []
  let text = ''
  let from = 0
  const take = (to: number) => {
    for (; from < to; from++) {
      offsets.push(htmlStart + from)
      text += raw[from]
    }
  }
  for (const match of raw.matchAll(entity)) {
    const character = decode(match)
    take(match.index)
    for (let half = 0; half < character.length; half++) offsets.push(htmlStart + match.index)
    text += character
    from = match.index + match[0].length
  }
  take(raw.length)
  return { text, start, end: start + text.length, htmlStart, htmlEnd, offsets }
}

/** Stands for an entity with an unknown name. */
const unknownEntity = '\ufffc'

function decode([, decimal, hexadecimal, name]: RegExpExecArray): string {
  if (name !== undefined) return namedEntities[name] ?? unknownEntity
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : unknownEntity
}

/** Returns the HTML position of a character of the text; beyond the piece, the piece's end. */
export function toHtmlOffset(piece: Piece, index: number): number {
  if (index >= piece.end) return piece.htmlEnd
  return piece.offsets?.[index - piece.start] ?? piece.htmlStart + (index - piece.start)
}
