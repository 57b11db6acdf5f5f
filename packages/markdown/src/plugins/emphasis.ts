import type { InlineNode } from '../inline/node.ts'
import { writeInline } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'

/** Parses `***x***`. */
export const strongEmphasis = formatting('strong_emphasis', '***', /\*\*\*(?!\s)([^*^\n]+)(?<!\s)\*\*\*/g, [
  'strong',
  'em',
])

/** Parses `**x**`, which may have spaces at its edges but no line break. */
export const strong = formatting('strong', '**', /\*\*([^\n]+?)\*\*/g, ['strong'])

/** Parses `*x*`, which may begin and end inside a word. */
export const emphasis = formatting('emphasis', '*', /\*(?!\s)([^*^\n]+)(?<!\s)\*/g, ['em'])

/** Parses `~~x~~`. */
export const strikethrough = formatting('strikethrough', '~~', /(?<!~)~~([^~\n]+)~~(?!~)/g, ['del'])

function formatting(name: string, mark: string, pattern: RegExp, tags: readonly string[]): InlineRule {
  const open = tags.map((tag) => `<${tag}>`).join('')
  const close = tags
    .toReversed()
    .map((tag) => `</${tag}>`)
    .join('')
  return {
    name,
    needsMarkup: true,
    canMatch: (text) => text.includes(mark),
    scan(fragment, scope, addNode) {
      for (const match of fragment.text.matchAll(pattern)) {
        const start = match.index
        const end = start + match[0].length
        const inner = fragment.slice(start + mark.length, end - mark.length)
        const source = mark + inner.source + mark
        addNode(start, end, formattedNode(name, source, scope.parseInner(inner), open, close))
      }
    },
  }
}

function formattedNode(
  kind: string,
  source: string,
  children: readonly InlineNode[],
  open: string,
  close: string,
): InlineNode {
  return { kind, source, children, write: (scope) => open + writeInline(children, scope) + close }
}
