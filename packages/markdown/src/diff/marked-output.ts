import { isBlockElement } from '../html/read-html.ts'
import { findUnpaired, openElements, readTag } from './balance.ts'

const inserted = '<span class="highlight_text_inserted">'
const deleted = '<span class="highlight_text_deleted">'
const onlyRowsInside = new Set(['table', 'thead', 'tbody', 'tr'])

/** Builds the HTML of a diff, with the block structure of the new version. */
export class MarkedOutput {
  private chunks: string[] = []

  addUnchanged(chunks: readonly string[]): void {
    this.chunks.push(...chunks)
  }

  addInserted(chunks: readonly string[]): void {
    const { indexes } = findUnpaired(chunks)
    const marker = new Marker(this.chunks, inserted)
    let pendingLinkEnd: string | undefined
    for (const [at, chunk] of chunks.entries()) {
      const tag = readTag(chunk)
      const block = chunk === '<hr>' || (tag !== undefined && isBlockElement(tag.name))
      // Inserted words after a link with a changed target are written inside the link, up to the next tag.
      if (pendingLinkEnd !== undefined && (block || tag)) {
        marker.end()
        this.chunks.push(pendingLinkEnd)
        pendingLinkEnd = undefined
      }
      if (!block && !indexes.has(at)) {
        marker.add(chunk)
        continue
      }
      if (tag?.name === 'a' && tag.closing) {
        pendingLinkEnd = chunk
        continue
      }
      marker.end()
      const endsWholeBlock = block && tag?.closing && !indexes.has(at)
      if (endsWholeBlock) marker.dropBlank()
      this.chunks.push(chunk)
      if (endsWholeBlock) this.chunks.push(' ')
    }
    marker.end()
    if (pendingLinkEnd !== undefined) this.chunks.push(pendingLinkEnd)
  }

  /**
   * Writes deleted words inside the block they were deleted from. A tag that both the deleted
   * chunks and `following` open is written before the words. A closing tag that was just written,
   * and that the deleted chunks close too, is moved behind the words. Returns the chunks still to
   * be written: the moved closing tags and the rest of `following`.
   */
  addDeleted(chunks: readonly string[], following: readonly string[]): string[] {
    const { indexes, opened, closed } = findUnpaired(chunks)
    const rest = [...following]
    for (const tag of opened) {
      if (!isSameTag(rest[0], tag)) break
      this.chunks.push(rest.shift() ?? '')
    }
    const after: string[] = []
    for (const tag of closed.toReversed()) {
      if (!isSameTag(this.chunks.at(-1), tag)) break
      after.unshift(this.chunks.pop() ?? '')
    }
    const openNames = openElements(this.chunks)
    const inLink = openNames.includes('a')
    const paired = chunks.filter(
      (chunk, at) => !indexes.has(at) && chunk !== '<hr>' && !(inLink && readTag(chunk)?.name === 'a'),
    )
    const keepsBlocks =
      indexes.size === 0 && openNames.every((name) => isBlockElement(name) && !/^(?:p|pre|h\d)$/.test(name))
    if (!onlyRowsInside.has(openNames.at(-1) ?? '')) this.mark(paired, keepsBlocks)
    return [...after, ...rest]
  }

  toString(): string {
    return this.chunks.join('')
  }

  private mark(chunks: readonly string[], keepsBlocks: boolean): void {
    const marker = new Marker(this.chunks, deleted)
    for (const chunk of chunks) {
      const tag = readTag(chunk)
      if (!tag || !isBlockElement(tag.name)) {
        marker.add(chunk)
        continue
      }
      marker.end()
      if (!keepsBlocks) continue
      if (tag.closing) marker.dropBlank()
      this.chunks.push(chunk)
      if (tag.closing) this.chunks.push(' ')
    }
    marker.end()
  }
}

/** Collects words and wraps them in one `<span>`, with a space on either side. */
class Marker {
  private pendingChunks: string[] = []
  private readonly output: string[]
  private readonly openTag: string

  constructor(output: string[], openTag: string) {
    this.output = output
    this.openTag = openTag
  }

  add(chunk: string): void {
    this.pendingChunks.push(chunk)
  }

  end(): void {
    const html = this.pendingChunks.join('')
    this.pendingChunks = []
    if (html.trim() === '') return
    const last = this.output.at(-1)
    if (last !== undefined && !/[ \n]$/.test(last) && !opensElement(last)) this.output.push(' ')
    this.output.push(`${this.openTag}${html.replace(/ $/, '')}</span>`, ' ')
  }

  dropBlank(): void {
    if (this.output.at(-1) === ' ') this.output.pop()
  }
}

function opensElement(chunk: string): boolean {
  const tag = readTag(chunk)
  return tag !== undefined && !tag.closing
}

function isSameTag(chunk: string | undefined, other: string): boolean {
  const [one, two] = [readTag(chunk), readTag(other)]
  return one !== undefined && one.name === two?.name && one.closing === two.closing
}
