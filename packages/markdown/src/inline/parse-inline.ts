import { escapeText } from '../escape.ts'
import { Fragment, nodePlaceholder } from './fragment.ts'
import type { InlineNode } from './node.ts'
import type { InlineRule, InlineScope, InlineSettings } from './rule.ts'

export function parseInline(
  text: string,
  rules: readonly InlineRule[],
  settings: InlineSettings,
): InlineNode[] {
  return parseFrom(new Fragment(text), rules, 0, settings)
}

/** All rules except linkifiers match only texts with one of these characters. Half of all texts have none. */
const markup = /[`*@$#<[:;~\n\u203c-\u3299\ud83c-\ud83e]|\.\w/

function parseFrom(
  fragment: Fragment,
  rules: readonly InlineRule[],
  first: number,
  settings: InlineSettings,
): InlineNode[] {
  let current = fragment
  const hasMarkup = markup.test(fragment.text)
  for (let index = first; index < rules.length; index++) {
    const rule = rules[index] as InlineRule
    if ((!hasMarkup && rule.needsMarkup) || !rule.canMatch(current.text, settings)) continue
    current = applyRule(rule, current, {
      settings,
      parseInner: (inner) => parseFrom(inner, rules, index + 1, settings),
    })
  }
  return toNodes(current)
}

/**
 * Replaces the matches of one rule by placeholders. The rule must report matches from left to
 * right, without overlaps.
 */
function applyRule(rule: InlineRule, fragment: Fragment, scope: InlineScope): Fragment {
  let text = ''
  const nodes: InlineNode[] = []
  let copied = 0
  let passed = 0
  const keepUntil = (end: number) => {
    const until = fragment.nodesBefore(end)
    while (passed < until) nodes.push(fragment.nodes[passed++] as InlineNode)
    text += fragment.text.slice(copied, end)
  }
  rule.scan(fragment, scope, (start, end, node) => {
    keepUntil(start)
    passed = fragment.nodesBefore(end)
    text += nodePlaceholder
    nodes.push(node)
    copied = end
  })
  if (copied === 0) return fragment
  keepUntil(fragment.text.length)
  return new Fragment(text, nodes)
}

function toNodes({ text, nodes }: Fragment): InlineNode[] {
  if (nodes.length === 0) return text === '' ? [] : [textNode(text)]
  const result: InlineNode[] = []
  let copied = 0
  for (const node of nodes) {
    const at = text.indexOf(nodePlaceholder, copied)
    if (at > copied) result.push(textNode(text.slice(copied, at)))
    result.push(node)
    copied = at + 1
  }
  if (copied < text.length) result.push(textNode(text.slice(copied)))
  return result
}

function textNode(text: string): InlineNode {
  return { kind: 'text', source: text, write: () => escapeText(text) }
}
