import { escapeInlineCode } from '../escape.ts'
import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'

/**
 * Parses code spans: from a run of backticks to the next run of the same length, or to a shorter
 * run if there is none (see `findCloser`). Nothing inside is parsed.
 */
export const codeSpan: InlineRule = {
  name: 'code_span',
  needsMarkup: true,
  canMatch: (text) => text.includes('`'),
  scan({ text }, _scope, addNode) {
    const runs = Array.from(text.matchAll(/`+/g), (run) => ({ start: run.index, length: run[0].length }))
    const waiting = new Map<number, number[]>()
    for (const [index, run] of runs.entries()) {
      const indexes = waiting.get(run.length)
      if (indexes) indexes.push(index)
      else waiting.set(run.length, [index])
    }
    for (const indexes of waiting.values()) indexes.reverse()
    for (let index = 0; index < runs.length; index++) {
      const opener = runs[index]
      if (!opener) continue
      const closerIndex = findCloser(waiting, index, opener.length)
      const closer = closerIndex === undefined ? undefined : runs[closerIndex]
      if (closerIndex === undefined || !closer) continue
      const end = closer.start + closer.length
      const content = text.slice(opener.start + closer.length, closer.start)
      addNode(opener.start, end, codeNode(content, text.slice(opener.start, end)))
      index = closerIndex
    }
  },
}

/**
 * Finds the next run of the opener's length. If there is none, finds the next run of the longest
 * shorter length; the remaining backticks of the opener are then part of the code. `waiting` maps
 * each length to the indexes of its runs, in descending order.
 */
function findCloser(
  waiting: ReadonlyMap<number, number[]>,
  index: number,
  longest: number,
): number | undefined {
  for (let length = longest; length > 0; length--) {
    const candidates = waiting.get(length)
    if (!candidates) continue
    while ((candidates.at(-1) ?? Infinity) <= index) candidates.pop()
    const closer = candidates.at(-1)
    if (closer !== undefined) return closer
  }
  return undefined
}

function codeNode(content: string, source: string): InlineNode {
  return { kind: 'code', source, write: () => `<code>${escapeInlineCode(content)}</code>` }
}
