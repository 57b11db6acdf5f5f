import type { Lookup, RenderContext } from '../lookup.ts'
import type { Fragment } from './fragment.ts'
import type { InlineNode } from './node.ts'

/** Settings available to inline rules while parsing. */
export type InlineSettings = {
  readonly context: RenderContext
  readonly lookup: Lookup
  readonly inQuote: boolean
  readonly budget: LinkifierBudget
}

export type InlineScope = {
  readonly settings: InlineSettings
  /** Parses the content of a match with the rules that follow this rule. */
  parseInner(fragment: Fragment): InlineNode[]
}

/** Matcher steps that are left for all linkifiers in this message. */
export type LinkifierBudget = { linkifierSteps: number }

/** Replaces the text from `start` to `end` (offsets in the fragment, `end` exclusive) by `node`. */
type AddNode = (start: number, end: number, node: InlineNode) => void

/**
 * One inline rule of the dialect. Rules run in order of precedence, each over the whole text. A
 * match of an earlier rule is replaced by one placeholder character (`nodePlaceholder`) before the next
 * rule runs.
 */
export type InlineRule = {
  readonly name: string
  /**
   * Whether the rule matches only texts that contain a markup character (`markup` in
   * `parse-inline.ts`). The rule is skipped for other texts.
   */
  readonly needsMarkup: boolean
  /** Cheap check that rules out most texts. */
  canMatch(text: string, settings: InlineSettings): boolean
  scan(fragment: Fragment, scope: InlineScope, addNode: AddNode): void
}
