import type { InlineRule } from '../inline/rule.ts'
import type { CompiledLinkifier } from '../linkifiers/compile.ts'
import { expandUrl, matchLinkifierAt } from '../linkifiers/match.ts'
import { toSafeHref } from '../links/href.ts'
import { linkNode } from './link.ts'

/** Applies the linkifiers that an organization's administrators defined, such as from `#123` to an issue. */
export const linkifier: InlineRule = {
  name: 'linkifier',
  needsMarkup: false,
  canMatch: (_text, { context }) => (context.linkifiers?.length ?? 0) > 0,
  scan(fragment, scope, addNode) {
    const { text } = fragment
    const { context, budget } = scope.settings
    const { linkifiers = [] } = context
    const candidates = linkifiers.filter(({ required }) =>
      required.every((character) => text.includes(character)),
    )
    if (candidates.length === 0) return
    const possibleStart = possibleStartOf(linkifiers)
    possibleStart.lastIndex = 0
    while (possibleStart.test(text)) {
      const at = possibleStart.lastIndex - 1
      for (const candidate of candidates) {
        const match = matchLinkifierAt(candidate, text, at, budget)
        if (!match || match.end === at) continue
        const inner = fragment.slice(at, match.end)
        const href = toSafeHref(expandUrl(candidate, match), context.origin)
        if (href === undefined) continue
        const children = scope.parseInner(inner)
        addNode(at, match.end, linkNode({ href, source: inner.source, bare: false, children }))
        possibleStart.lastIndex = match.end
        break
      }
    }
  },
}

const startPatterns = new WeakMap<readonly CompiledLinkifier[], RegExp>()

/**
 * Returns a pattern for all positions where a linkifier may match. Cached, because a server passes
 * the same list for every message.
 */
function possibleStartOf(linkifiers: readonly CompiledLinkifier[]): RegExp {
  const cached = startPatterns.get(linkifiers)
  if (cached) return cached
  let first = ''
  for (let code = 0; code < 128; code++) {
    const allowed = linkifiers.some(({ beginning }) => beginning[0]?.[code] !== 0)
    if (allowed) first += `\\x${code.toString(16).padStart(2, '0')}`
  }
  const pattern = new RegExp(`(?<![^\\s'"(,:<])[${first}\\u0080-\\uffff]`, 'g')
  startPatterns.set(linkifiers, pattern)
  return pattern
}
