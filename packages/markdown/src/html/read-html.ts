/** A tag or text in HTML that this package wrote. Other HTML cannot be parsed. */
export type HtmlPiece =
  | { kind: 'open'; name: string; source: string; attributes: string; isVoid: boolean }
  | { kind: 'close'; name: string; source: string }
  | { kind: 'text'; source: string }

const piece =
  /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z][A-Za-z0-9:-]*(?: ?=(?:"[^"]*"|'[^']*'))?)*)\s*(\/?)>|[^<]+|</g
const onePiece = new RegExp(`^(?:${piece.source})`)
const voidElements = new Set(['br', 'hr', 'img'])
const blockElements = new Set(
  'blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul'.split(' '),
)

export function readHtml(html: string): HtmlPiece[] {
  return Array.from(html.matchAll(piece), toPiece)
}

/** Returns the tag or text that is all of the HTML, or undefined if there are several. */
export function readOnePiece(html: string): HtmlPiece | undefined {
  const match = onePiece.exec(html)
  return match && match[0].length === html.length ? toPiece(match) : undefined
}

function toPiece([source, slash, tag, attributes = '', selfClosing]: RegExpExecArray): HtmlPiece {
  if (tag === undefined) return { kind: 'text', source }
  const name = tag.toLowerCase()
  if (slash) return { kind: 'close', name, source }
  return { kind: 'open', name, source, attributes, isVoid: voidElements.has(name) || selfClosing === '/' }
}

export function isBlockElement(name: string): boolean {
  return blockElements.has(name)
}

/** Returns the value of an attribute as written, with entities not decoded. */
export function getAttribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}(?:=(?:"([^"]*)"|'([^']*)'))?(?=\\s|$)`).exec(attributes)
  return match ? (match[1] ?? match[2] ?? name) : undefined
}

/** Returns the index of the piece that closes the element opened at `start`. */
export function findElementEnd(pieces: readonly HtmlPiece[], start: number): number {
  let depth = 0
  for (let at = start; at < pieces.length; at++) {
    const piece = pieces[at]
    if (piece?.kind === 'open' && !piece.isVoid) depth++
    if (piece?.kind === 'close' && --depth === 0) return at
  }
  return pieces.length - 1
}
