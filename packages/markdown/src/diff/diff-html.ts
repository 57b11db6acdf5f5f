import { isBlockElement, readHtml } from '../html/read-html.ts'
import { MarkedOutput } from './marked-output.ts'
import { matchWords } from './match-words.ts'
import { splitIntoWords, type Word } from './words.ts'

/**
 * Returns the new version with insertions and deletions marked word by word. An insertion comes
 * before the deletion that it replaces. Both versions must be HTML that this package wrote.
 */
export function diffHtml(before: string, after: string): string {
  const oldWords = splitIntoWords(before)
  const newWords = splitIntoWords(after)
  const output = new MarkedOutput()
  let removed: string[] = []
  for (const change of matchWords(getTexts(oldWords), getTexts(newWords))) {
    const chunks = getChunks(newWords.slice(change.newStart, change.newEnd), change.kind === 'equal')
    if (change.kind === 'equal') {
      output.addUnchanged(removed.length > 0 ? output.addDeleted(removed, chunks) : chunks)
      removed = []
    } else {
      output.addInserted(chunks)
      removed = getChunks(oldWords.slice(change.oldStart, change.oldEnd), false)
    }
  }
  if (removed.length > 0) output.addUnchanged(output.addDeleted(removed, []))
  return asciiOnly(wrapTopLevel(output.toString().trim()))
}

function getTexts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text)
}

function getChunks(words: readonly Word[], equal: boolean): string[] {
  const chunks = words.flatMap(({ text, trailing, before, after, hiddenWhenEqual }) => [
    ...before,
    ...(equal && hiddenWhenEqual ? [] : [text + trailing]),
    ...after,
  ])
  return chunks.filter((chunk) => chunk !== '')
}

/** Wraps several top-level elements in one element. */
function wrapTopLevel(html: string): string {
  let depth = 0
  let nodes = 0
  let hasBlock = false
  for (const piece of readHtml(html)) {
    if (piece.kind === 'close') {
      depth--
      continue
    }
    if (depth === 0 && piece.source.trim() !== '') nodes++
    if (piece.kind === 'text') continue
    if (depth === 0 && isBlockElement(piece.name)) hasBlock = true
    if (!piece.isVoid) depth++
  }
  if (nodes <= 1) return html
  return hasBlock ? `<div>${html}</div>` : `<span>${html}</span>`
}

function asciiOnly(html: string): string {
  return html.replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
}
