import { type Dialect, getEnv } from '../block-state.ts'
import { getTokens } from '../block-token.ts'
import { parseInline } from '../inline/parse-inline.ts'
import type { InlineRule } from '../inline/rule.ts'
import { emptyLookup } from '../lookup.ts'

/**
 * Replaces markdown-it's inline parser, in which the first opener from the left wins. In this
 * dialect rules have precedence instead: code wins wherever it is.
 */
export function inlinePlugin(md: Dialect, rules: readonly InlineRule[]): void {
  md.core.ruler.at('inline', (state) => {
    const { context, budget } = getEnv(state)
    const lookup = context.lookup ?? emptyLookup
    let quotes = 0
    for (const token of getTokens(state)) {
      if (token.type === 'blockquote_open') quotes++
      else if (token.type === 'blockquote_close') quotes--
      if (token.type !== 'inline') continue
      token.nodes = parseInline(token.content, rules, { context, lookup, budget, inQuote: quotes > 0 })
    }
  })
}
