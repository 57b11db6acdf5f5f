import { type Dialect, getLine } from '../block-state.ts'
import { pushToken } from '../block-token.ts'

const rule = /^ {0,3}(?:(?:- {0,2}){3,}|(?:_ {0,2}){3,}|(?:\* {0,2}){3,})$/

/**
 * Parses a horizontal rule: a line of three or more `-`, `_` or `*`. Unlike in CommonMark, dashes
 * directly below text are a rule, not a heading.
 */
export function ruleLinePlugin(md: Dialect): void {
  md.block.ruler.before(
    'paragraph',
    'rule_line',
    (state, line, _endLine, silent) => {
      const first = state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)]
      if (first !== '-' && first !== '_' && first !== '*') return false
      if (!rule.test(getLine(state, line).trimEnd())) return false
      if (silent) return true
      state.line = line + 1
      pushToken(state, 'hr', 'hr', 0)
      return true
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  )
}
