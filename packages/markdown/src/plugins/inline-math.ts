import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import { writeInlineMath } from '../math/write-math.ts'

// A formula may contain a dollar sign only after a backslash.
const mathPattern = /(?<![\p{L}\p{N}_$])\$\$([^\n_$\0](?:\\\$|[^$\n\0])*)\$\$(?![\p{L}\p{N}_$])/gu

/** Parses `$$x$$` on one line. */
export const inlineMath: InlineRule = {
  name: 'inline_math',
  needsMarkup: true,
  canMatch: (text) => text.includes('$$'),
  scan({ text }, _scope, addNode) {
    for (const match of text.matchAll(mathPattern)) {
      const [source, tex = ''] = match
      addNode(match.index, match.index + source.length, mathNode(tex, source))
    }
  },
}

function mathNode(tex: string, source: string): InlineNode {
  return { kind: 'math', source, write: (scope) => writeInlineMath(tex, scope) }
}
