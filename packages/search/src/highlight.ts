import { type Piece, readHtml, toHtmlOffset } from './html-text.ts'
import { type MessageText, matchMessage, type TextRange } from './match.ts'
import type { SearchQuery } from './query.ts'

/** Topic and content as HTML, with spans around matches. */
export interface Highlighted {
  match_content: string
  match_subject: string
}

const opening = '<span class="highlight">'
const closing = '</span>'

/** Highlights the matches of all queries. Returns undefined unless the message matches every query. */
export function highlight(queries: readonly SearchQuery[], message: MessageText): Highlighted | undefined {
  const matches = queries.map((query) => matchMessage(query, message))
  if (!matches.every((match) => match !== undefined)) return undefined
  const inContent = merge(matches.flatMap((match) => match.inContent))
  const inTopic = merge(matches.flatMap((match) => match.inTopic))
  const html = matches[0]?.html ?? readHtml(message.rendered_content)
  return {
    match_content: wrapPieces(message.rendered_content, html.pieces, inContent),
    match_subject: wrapText(message.topic, inTopic),
  }
}

/** Sorts ranges and merges overlapping ones. */
function merge(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  return merged
}

/** Wraps each range in a span. A range that contains tags gets a span in each piece of text. */
function wrapPieces(html: string, pieces: readonly Piece[], ranges: readonly TextRange[]): string {
  let out = ''
  let from = 0
  let next = 0
  for (const piece of pieces) {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= piece.start) next++
    for (let index = next; (ranges[index]?.start ?? Number.POSITIVE_INFINITY) < piece.end; index++) {
      const { start, end } = ranges[index] as TextRange
      const first = toHtmlOffset(piece, Math.max(start, piece.start))
      const last = toHtmlOffset(piece, Math.min(end, piece.end))
      if (first >= last) continue
      out += html.slice(from, first) + opening + html.slice(first, last) + closing
      from = last
    }
  }
  return out + html.slice(from)
}

function wrapText(text: string, ranges: readonly TextRange[]): string {
  let out = ''
  let from = 0
  for (const { start, end } of ranges) {
    out += `${escapeHtml(text.slice(from, start))}${opening}${escapeHtml(text.slice(start, end))}${closing}`
    from = end
  }
  return out + escapeHtml(text.slice(from))
}

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escaped[character] ?? character)
