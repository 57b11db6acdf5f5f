import type { MarkdownIt, StateBlock, StateCore } from 'markdown-it'
import type { Highlighter } from './highlight/highlighter.ts'
import type { WriteScope } from './inline/node.ts'
import type { LinkifierBudget } from './inline/rule.ts'
import type { RenderContext } from './lookup.ts'

/** markdown-it, configured with the dialect's rules. */
export type Dialect = MarkdownIt
export type BlockState = StateBlock
export type CoreState = StateCore

/** The state of one rendering, passed through markdown-it as its `env`. */
export type RenderEnv = {
  [key: string | symbol]: unknown
  context: RenderContext
  write: WriteScope
  budget: LinkifierBudget
  highlight: Highlighter | undefined
  highlightBudget: number
  /**
   * Whether fences are parsed: at the top level and inside fenced quotes and spoilers, but not
   * after `>` or in lists.
   */
  fencesAllowed: boolean
  /** Whether a list may directly follow a line of text. False inside `>` quotes and list items. */
  listsFollowText: boolean
  depth: number
}

/** Maximum nesting of quotes, lists and spoilers. Deeper ones are shown as text. */
export const maxNesting = 20

export function getEnv(state: { env: { [key: string | symbol]: unknown } }): RenderEnv {
  return state.env as RenderEnv
}

export function getLine(state: BlockState, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line])
}

/** Parses the content of a container into tokens, and appends them. */
export function parseInside(
  state: BlockState,
  text: string,
  fencesAllowed: boolean,
  listsFollowText = getEnv(state).listsFollowText,
): void {
  const env = getEnv(state)
  const outside = { fencesAllowed: env.fencesAllowed, listsFollowText: env.listsFollowText }
  Object.assign(env, { fencesAllowed, listsFollowText })
  env.depth++
  state.md.block.parse(text, state.md, env, state.tokens)
  env.depth--
  Object.assign(env, outside)
}

/** Returns whether a rule of the named chain would start a block at this line. */
export function isInterrupted(state: BlockState, chain: string, line: number, endLine: number): boolean {
  for (const rule of state.md.block.ruler.getRules(chain)) if (rule(state, line, endLine, true)) return true
  return false
}
