import type { BlockToken } from '../block-token.ts'
import type { InlineNode } from '../inline/node.ts'
import type { LinkNode } from '../plugins/link.ts'
import type { StreamLinkNode } from '../plugins/stream-link.ts'

export type FoundLink = {
  /** Index of the inline token that contains the link. */
  at: number
  depth: number
  link: LinkNode | StreamLinkNode
  /** Whether the link is a bare URL that is alone in its paragraph. */
  alone: boolean
}

/**
 * Collects the links outside of quotes, each target once. Links of outer blocks come before links of
 * nested blocks.
 */
export function collectLinks(tokens: readonly BlockToken[]): FoundLink[] {
  const found: FoundLink[] = []
  let depth = 0
  let quotes = 0
  for (let at = 0; at < tokens.length; at++) {
    const { type, nesting, nodes } = tokens[at] as BlockToken
    depth += nesting
    if (type === 'blockquote_open') quotes++
    else if (type === 'blockquote_close') quotes--
    else if (type === 'inline' && quotes === 0)
      addLinks(nodes, (link) => found.push(foundLink(at, depth, nodes, link)))
  }
  if (found.length < 2) return found
  const seen = new Set<string>()
  return found
    .toSorted((a, b) => a.depth - b.depth)
    .filter(({ link }) => !seen.has(link.href) && seen.add(link.href))
}

function foundLink(
  at: number,
  depth: number,
  nodes: readonly InlineNode[],
  link: LinkNode | StreamLinkNode,
): FoundLink {
  return {
    at,
    depth,
    link,
    alone: nodes.length === 1 && nodes[0] === link && link.kind === 'link' && link.bare,
  }
}

function addLinks(nodes: readonly InlineNode[], add: (link: LinkNode | StreamLinkNode) => void): void {
  for (const node of nodes) {
    if (node.kind === 'link' || node.kind === 'stream_link') add(node as LinkNode | StreamLinkNode)
    else if (node.children) addLinks(node.children, add)
  }
}
