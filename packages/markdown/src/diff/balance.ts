import { readOnePiece } from '../html/read-html.ts'

export type Tag = { name: string; closing: boolean }

/** Parses a tag. Returns undefined for text, also if it is wrapped in a mark, and for void elements. */
export function readTag(chunk: string | undefined): Tag | undefined {
  const tag = chunk?.startsWith('<') ? readOnePiece(chunk) : undefined
  if (!tag || tag.kind === 'text' || (tag.kind === 'open' && tag.isVoid)) return undefined
  return { name: tag.name, closing: tag.kind === 'close' }
}

export type Unpaired = {
  /** Indexes of tags whose counterpart is not among the chunks. */
  indexes: ReadonlySet<number>
  opened: string[]
  closed: string[]
}

export function findUnpaired(chunks: readonly string[]): Unpaired {
  const waiting: { name: string; at: number }[] = []
  const indexes = new Set<number>()
  const closed: string[] = []
  for (const [at, chunk] of chunks.entries()) {
    const tag = readTag(chunk)
    if (!tag) continue
    if (!tag.closing) {
      waiting.push({ name: tag.name, at })
    } else if (waiting.at(-1)?.name === tag.name) {
      waiting.pop()
    } else {
      indexes.add(at)
      closed.push(chunk)
    }
  }
  for (const { at } of waiting) indexes.add(at)
  return { indexes, opened: waiting.map(({ at }) => chunks[at] ?? ''), closed }
}

/** Returns the names of the elements that are open at the end, outermost first. */
export function openElements(chunks: readonly string[]): string[] {
  const open: string[] = []
  for (const chunk of chunks) {
    const tag = readTag(chunk)
    if (tag?.closing) open.pop()
    else if (tag) open.push(tag.name)
  }
  return open
}
