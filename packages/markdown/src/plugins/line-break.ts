import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'

const lineBreakNode: InlineNode = { kind: 'line_break', source: '\n', write: () => '<br>\n' }

/** Keeps the line breaks of the author. */
export const lineBreak: InlineRule = {
  name: 'line_break',
  needsMarkup: true,
  canMatch: (text) => text.includes('\n'),
  scan({ text }, _scope, addNode) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      addNode(at, at + 1, lineBreakNode)
    }
  },
}
