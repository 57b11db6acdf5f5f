import { htmlOffset, type Piece, readHtml } from './html-text.ts'
import { type MessageText, matchMessage, type Place } from './match.ts'
import type { SearchQuery } from './query.ts'

/** Both HTML, with what was found in spans. */
export interface Highlighted {
  match_content: string
  match_subject: string
}

const opening = '<span class="highlight">'
const closing = '</span>'

/** Undefined where the message does not match. With several queries it matches all of them. */
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

/** The same fields where nothing was looked for. */
export function showPlain({ topic, rendered_content }: MessageText): Highlighted {
  return { match_content: rendered_content, match_subject: escapeHtml(topic) }
}

/** In order, and none within another. */
function merge(places: readonly Place[]): Place[] {
  const merged: Place[] = []
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && place.start < last.end) last.end = Math.max(last.end, place.end)
    else merged.push({ ...place })
  }
  return merged
}

/** A place that runs through a tag is wrapped in each piece of text by itself. */
function wrapPieces(html: string, pieces: readonly Piece[], places: readonly Place[]): string {
  let out = ''
  let from = 0
  let next = 0
  for (const piece of pieces) {
    while ((places[next]?.end ?? Number.POSITIVE_INFINITY) <= piece.start) next++
    for (let index = next; (places[index]?.start ?? Number.POSITIVE_INFINITY) < piece.end; index++) {
      const { start, end } = places[index] as Place
      const first = htmlOffset(piece, Math.max(start, piece.start))
      const last = htmlOffset(piece, Math.min(end, piece.end))
      if (first >= last) continue
      out += html.slice(from, first) + opening + html.slice(first, last) + closing
      from = last
    }
  }
  return out + html.slice(from)
}

function wrapText(text: string, places: readonly Place[]): string {
  let out = ''
  let from = 0
  for (const { start, end } of places) {
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
