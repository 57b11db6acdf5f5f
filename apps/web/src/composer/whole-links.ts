import { findUploadLinks, hasOnlyNewLinks, type TextRange } from '../client/writing/upload-links.ts'
import type { TextEdit } from './insert.ts'

/**
 * Moves a selection so that no end of it is inside the link to an upload, where typing would change its path.
 * `movedFrom` is the selection before a key moved it; undefined if it was moved otherwise.
 */
export function leaveLinks(text: string, selected: TextRange, movedFrom?: TextRange): TextRange {
  const links = findUploadLinks(text)
  const { start, end } = selected
  const leave = (side: 'start' | 'end', other: 'start' | 'end'): number => {
    const at = selected[side]
    const link = links.find((range) => range.start < at && at < range.end)
    if (!link) return at
    return movedFrom ? link[movedFrom[side] <= link.start ? 'end' : 'start'] : link[other]
  }
  if (start !== end) return { start: leave('start', 'start'), end: leave('end', 'end') }
  const touched = movedFrom ? undefined : links.find((range) => range.start < start && start <= range.end)
  const at = touched ? findEndOfLink(text, touched) : leave('start', 'end')
  return { start: at, end: at }
}

/** Returns where to write after a link: behind it, or on the next line if it has a line for itself. */
function findEndOfLink(text: string, { start, end }: TextRange): number {
  const isAlone = (start === 0 || text[start - 1] === '\n') && text[end] === '\n'
  return isAlone ? end + 1 : end
}

/** Returns the link that a key deletes as a whole, because the caret is at its end, or before it for `forward`. */
export const findDeletedLink = (text: string, caret: number, isForward: boolean): TextRange | undefined =>
  findUploadLinks(text).find((link) => link[isForward ? 'start' : 'end'] === caret)

/**
 * Returns the edit that undoes a change inside links to uploads, as by an input method: what was written there
 * comes after them, and links of which a part was deleted are deleted. `caret` is that after the change.
 */
export function mendLinks(before: string, after: string, caret: number): TextEdit | undefined {
  const links = findUploadLinks(before)
  if (links.length === 0) return undefined
  const { from, to, written } = findChange(before, after, caret)
  const damaged = links.filter(
    (link) => link.start < to && from < link.end && !(from <= link.start && link.end <= to),
  )
  const [first, last] = [damaged[0], damaged.at(-1)]
  if (!first || !last) return undefined
  const start = Math.min(from, first.start)
  const end = Math.max(to, written === '' ? last.end : findEndOfLink(before, last))
  const insert = written === '' ? '' : before.slice(first.start, end) + written
  const at = start + insert.length
  return { from: start, to: after.length - (before.length - end), insert, start: at, end: at }
}

type Change = Pick<TextEdit, 'from' | 'to'> & { written: string }

/** Finds the part of a text that was replaced by `written`. Repeated characters are resolved by the caret. */
function findChange(before: string, after: string, caret: number): Change {
  let [from, to, end] = [0, before.length, after.length]
  const trimEnd = (least: number) => {
    while (end > least && to > from && before[to - 1] === after[end - 1]) {
      to--
      end--
    }
  }
  trimEnd(caret)
  while (from < Math.min(to, end) && before[from] === after[from]) from++
  trimEnd(from)
  return { from, to, written: after.slice(from, end) }
}

/**
 * Returns where the caret stays when a text is replaced by one with new links at its end; undefined if it goes
 * to the end of the text, as for other changes and at the start of an empty line.
 */
export function keepCaret(before: string, after: string, caret: number): number | undefined {
  if (!hasOnlyNewLinks(before, after)) return undefined
  const isOnEmptyLine = caret === before.length && (before === '' || before.endsWith('\n'))
  return isOnEmptyLine ? undefined : caret
}
