/** Characters that would end the text of a link, or begin another one. */
const special = /[[\]\\`\n]/g

/** Returns the Markdown of a link to an upload. */
export const linkTo = (name: string, uri: string): string =>
  `[${name.replace(special, ' ').trim() || 'file'}](${uri})`

/** Adds a link at the end of a text, on a separate line. */
export function appendLink(text: string, link: string): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${gap}${link}\n`
}

/** Replaces the text of the link to an upload. */
export function renameLink(text: string, uri: string, name: string): string {
  const end = text.indexOf(`](${uri})`)
  const start = end === -1 ? -1 : text.lastIndexOf('[', end)
  if (start === -1) return text
  return text.slice(0, start) + linkTo(name, uri) + text.slice(end + `](${uri})`.length)
}

/** A part of a text, from `start` to before `end`. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

const wholeLinks = /\[[^[\]\n]*\]\(\/user_uploads\/[^\s()]+\)/g

/** Whether a text can contain links to uploads. Most do not, and need not be searched at every key. */
const mayHaveLinks = (text: string): boolean => text.includes('](/user_uploads/')

/** Finds the links to uploads in a text. */
export function findUploadLinks(text: string): TextRange[] {
  if (!mayHaveLinks(text)) return []
  return [...text.matchAll(wholeLinks)].map(({ 0: link, index }) => ({
    start: index,
    end: index + link.length,
  }))
}

/** Whether a text differs from an earlier one only by links to uploads that were added at its end. */
export function hasOnlyNewLinks(before: string, after: string): boolean {
  if (!mayHaveLinks(after) || !after.startsWith(before)) return false
  const added = after.slice(before.length)
  return added !== '' && added.replace(wholeLinks, '').trim() === ''
}

/** Whether a text has a part of the link to an upload, but not the whole link. */
export function isLinkDamaged(text: string, uri: string): boolean {
  if (findUploadLinks(text).some(({ start, end }) => text.slice(start, end).endsWith(`](${uri})`)))
    return false
  // A change in the middle of the random part of the path leaves one of its halves.
  const secret = uri.split('/').at(-2) ?? uri
  const half = secret.length / 2
  return text.includes(secret.slice(0, half)) || text.includes(secret.slice(half))
}

/** Makes the damaged link to an upload whole. What was written inside it is moved to the next line. */
export function restoreLink(text: string, name: string, uri: string): string {
  const link = linkTo(name, uri)
  // Other links are hidden from the search, because files often have the same name.
  const searched = text.replace(wholeLinks, (found) =>
    isLinkDamaged(found, uri) ? found : '\n'.repeat(found.length),
  )
  const head = findPart(searched, 0, link.length, (length) => link.slice(0, length))
  // What was written may end like the part of the link before it, and is not part of the link.
  const rest = link.length - (head ? head.end - head.start : 0)
  const tail = findPart(searched, head?.end ?? 0, rest, (length) => link.slice(-length))
  const first = head ?? tail
  const last = tail ?? head
  if (!first || !last) return appendLink(text, link)
  const inside = text.slice(first.end, last.start).trim()
  return text.slice(0, first.start) + link + (inside && `\n${inside}`) + text.slice(last.end)
}

/** Shorter parts of a link may be other words of the text. */
const minPart = 8

/** Finds the longest part that occurs in a text after an index. */
function findPart(
  text: string,
  from: number,
  maxLength: number,
  partOf: (length: number) => string,
): TextRange | undefined {
  for (let length = maxLength; length >= minPart; length--) {
    const start = text.indexOf(partOf(length), from)
    if (start !== -1) return { start, end: start + length }
  }
  return undefined
}
