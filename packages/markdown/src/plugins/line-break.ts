import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'

const lineBreakNode: InlineNode = { kind: 'line_break', source: '\n', write: () => '<br>\n' }

/** Every line break of the author is a line break of the reader. */
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
