import { decodeEntities } from '../html/entities.ts'
import { findElementEnd, getAttribute, type HtmlPiece, isBlockElement, readHtml } from '../html/read-html.ts'
import { PlainTextWriter } from './plain-text-writer.ts'

export type PlainTextOptions = {
  /** `hide` for notifications, which bystanders may see; `show` for search. */
  spoilers?: 'hide' | 'show'
}

const preview = /^(?:youtube-video )?message_inline_image$|^message_embed$/

/** Converts rendered HTML to plain text, for notifications and search. */
export function toPlainText(html: string, { spoilers = 'hide' }: PlainTextOptions = {}): string {
  const pieces = readHtml(html)
  const writer = new PlainTextWriter()
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as HtmlPiece
    if (piece.kind === 'text') {
      writer.text(decodeEntities(piece.source))
    } else if (piece.kind === 'close') {
      closeElement(writer, piece.name)
    } else {
      at = openElement(writer, pieces, at, spoilers === 'hide')
    }
  }
  return writer.finish() || linkTargets(pieces).join('\n')
}

/** Writes an opening tag. Returns the index of the last piece that it consumed. */
function openElement(
  writer: PlainTextWriter,
  pieces: readonly HtmlPiece[],
  at: number,
  hide: boolean,
): number {
  const piece = pieces[at]
  if (piece?.kind !== 'open') return at
  const cssClass = getAttribute(piece.attributes, 'class') ?? ''
  if (preview.test(cssClass)) return findElementEnd(pieces, at)
  if (cssClass === 'katex' || cssClass === 'katex-display') {
    const end = findElementEnd(pieces, at)
    writer.text(`$$${decodeEntities(texSource(pieces.slice(at, end)))}$$`)
    return end
  }
  if (cssClass === 'spoiler-content' && hide) {
    writer.text('(…)')
    return findElementEnd(pieces, at)
  }
  if (piece.name === 'img') writer.text(decodeEntities(getAttribute(piece.attributes, 'alt') ?? ''))
  else if (piece.name === 'br') writer.newLine()
  else if (piece.name === 'pre') writer.beginPreformatted()
  else if (piece.name === 'blockquote') writer.beginQuote()
  else if (piece.name === 'ul' || piece.name === 'ol') {
    writer.beginList(piece.name === 'ol' ? Number(getAttribute(piece.attributes, 'start') ?? '1') : undefined)
  } else if (piece.name === 'li') writer.beginItem()
  else if (piece.name === 'td' || piece.name === 'th') writer.beginCell()
  else if (isBlockElement(piece.name)) writer.newLine()
  return at
}

function closeElement(writer: PlainTextWriter, name: string): void {
  if (name === 'blockquote') writer.endQuote()
  else if (name === 'ul' || name === 'ol') writer.endList()
  else if (name === 'pre') writer.endPreformatted()
  else if (name !== 'td' && name !== 'th' && isBlockElement(name)) writer.newLine()
}

function texSource(pieces: readonly HtmlPiece[]): string {
  const annotation = pieces.findIndex((piece) => piece.kind === 'open' && piece.name === 'annotation')
  const source = pieces[annotation + 1]
  return annotation !== -1 && source?.kind === 'text' ? source.source : ''
}

/** Returns the link targets, for messages that have no text, such as a single picture. */
function linkTargets(pieces: readonly HtmlPiece[]): string[] {
  const targets = new Set<string>()
  for (const piece of pieces) {
    const href =
      piece.kind === 'open' && piece.name === 'a' ? getAttribute(piece.attributes, 'href') : undefined
    if (href) targets.add(decodeEntities(href))
  }
  return [...targets]
}
