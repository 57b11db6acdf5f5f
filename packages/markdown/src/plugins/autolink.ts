import { hasLeftBoundary } from '../inline/boundary.ts'
import type { InlineRule } from '../inline/rule.ts'
import { toSafeHref } from '../links/href.ts'
import { findUrlEnd } from '../links/scan-url.ts'
import { linkNode } from './link.ts'

const mayContainUrl = /:\/\/|bitcoin:|[^\s.]\.[\p{L}\p{N}]/u
const possibleStart = /[\p{L}\p{N}._%+-]+/gu

/** Links bare URLs, domains, e-mail addresses and bitcoin addresses. */
export const autolink: InlineRule = {
  name: 'autolink',
  needsMarkup: true,
  canMatch: (text) => text.includes('.') || text.includes(':'),
  scan({ text }, { settings }, addNode) {
    if (!mayContainUrl.test(text)) return
    possibleStart.lastIndex = 0
    for (let word = possibleStart.exec(text); word; word = possibleStart.exec(text)) {
      const start = word.index
      if (!hasLeftBoundary(text, start)) continue
      const end = findUrlEnd(text, start)
      if (end === -1) continue
      const source = text.slice(start, end)
      const href = toSafeHref(source, settings.context.origin)
      if (href === undefined) continue
      addNode(start, end, linkNode({ href, source, bare: true }))
      possibleStart.lastIndex = end
    }
  },
}
