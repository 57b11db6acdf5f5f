import type { Token } from 'markdown-it'
import type { Attributes } from './element.ts'
import type { InlineNode } from './inline/node.ts'

/**
 * A token that block rules add to `state.tokens`. Tokens are plain objects, because the constructor
 * of markdown-it's class took a tenth of the rendering time.
 */
export type BlockToken = {
  type: string
  tag: string
  nesting: -1 | 0 | 1
  attributes: Attributes | undefined
  content: string
  info: string
  /** Set for the paragraph of a tight list item, which is written without `<p>`. */
  hidden: boolean
  /** The nodes that an inline token's content was parsed into. */
  nodes: readonly InlineNode[]
}

const noNodes: readonly InlineNode[] = []

export function createToken(type: string, tag: string, nesting: -1 | 0 | 1, content = ''): BlockToken {
  return { type, tag, nesting, attributes: undefined, content, info: '', hidden: false, nodes: noNodes }
}

type WithTokens = { tokens: Token[] }

export function pushToken(state: WithTokens, type: string, tag: string, nesting: -1 | 0 | 1): BlockToken {
  const token = createToken(type, tag, nesting)
  getTokens(state).push(token)
  return token
}

export function pushInline(state: WithTokens, text: string): void {
  pushToken(state, 'inline', '', 0).content = text
}

/** Returns the tokens of the state, typed as `BlockToken`, because block rules add no other tokens. */
export function getTokens(state: WithTokens): BlockToken[] {
  return state.tokens as unknown as BlockToken[]
}
