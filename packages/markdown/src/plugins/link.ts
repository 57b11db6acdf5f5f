import { openTag } from '../element.ts'
import { escapeText } from '../escape.ts'
import type { InlineNode } from '../inline/node.ts'
import { writeInline } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import { toSafeHref } from '../links/href.ts'
import { pairBrackets } from '../links/pair-brackets.ts'

const inAngles = /^<([^<>]*)>$/

/** Parses `[text](url "title")`. The text is shown literally; if it is empty, the URL is shown. */
export const link: InlineRule = {
  name: 'link',
  needsMarkup: true,
  canMatch: (text) => text.includes(']('),
  scan(fragment, { settings }, addNode) {
    const fragmentText = fragment.text
    const pairs = pairBrackets(fragmentText)
    for (let at = fragmentText.indexOf('['); at !== -1; at = fragmentText.indexOf('[', at + 1)) {
      const textEnd = pairs.get(at)
      if (
        textEnd === undefined ||
        fragmentText.charAt(textEnd + 1) !== '(' ||
        fragmentText.charAt(at - 1) === '!'
      )
        continue
      const targetEnd = pairs.get(textEnd + 1)
      if (targetEnd === undefined) continue
      const target = fragment.slice(textEnd + 2, targetEnd).source.trim()
      if (target.includes('\n')) continue
      const { url, title } = splitTarget(target)
      const href = toSafeHref(url, settings.context.origin)
      if (href === undefined || href === '') continue
      const source = fragment.slice(at, targetEnd + 1).source
      const text = fragment.slice(at + 1, textEnd).source
      const label = text.trim() === '' ? url : text
      addNode(at, targetEnd + 1, linkNode({ href, source, bare: false, label, title }))
      at = targetEnd
    }
  },
}

/** Splits a target into URL and title, which is in quotes at the end, after a space. */
function splitTarget(target: string): { url: string; title?: string } {
  const quote = target.at(-1)
  const opening = quote === '"' || quote === "'" ? target.lastIndexOf(quote, target.length - 2) : -1
  if (opening < 1 || target[opening - 1] !== ' ') return { url: withoutAngles(target) }
  return { url: withoutAngles(target.slice(0, opening).trimEnd()), title: target.slice(opening + 1, -1) }
}

function withoutAngles(url: string): string {
  return inAngles.exec(url)?.[1] ?? url
}

export type LinkNode = InlineNode & {
  kind: 'link'
  href: string
  /** Whether the link is a URL without a text of its own. */
  bare: boolean
  label: string
}

type LinkParts = {
  href: string
  source: string
  bare: boolean
  label?: string
  title?: string | undefined
  children?: readonly InlineNode[]
}

export function linkNode({ href, source, bare, label, title, children }: LinkParts): LinkNode {
  return {
    kind: 'link',
    href,
    source,
    bare,
    label: label ?? source,
    write(scope) {
      scope.findings.links.add(href)
      const content = children ? writeInline(children, scope) : escapeText(label ?? source)
      return `${openTag('a', { href, title })}${content}</a>`
    },
  }
}
