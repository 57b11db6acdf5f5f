import type { Findings } from '../findings.ts'
import type { Lookup, RenderContext } from '../lookup.ts'
import type { MathEngine } from '../math/engine.ts'
import type { Fragment } from './fragment.ts'

/** Settings available to inline rules while parsing. */
export type InlineSettings = {
  readonly context: RenderContext
  readonly lookup: Lookup
  readonly inQuote: boolean
  readonly budget: Budget
}

export type InlineScope = {
  readonly settings: InlineSettings
  /** Parses with the rules after the asking one. */
  parseInner(fragment: Fragment): InlineNode[]
}

/** Steps that linkifiers may still take in this message. */
export type Budget = { linkifierSteps: number }

/** Settings available to nodes while they are written. */
export type WriteScope = {
  readonly findings: Findings
  readonly math: MathEngine | undefined
  mathBudget: number
}

export type InlineNode = {
  readonly kind: string
  /** The text the author typed for it, shown where formatting does not reach. */
  readonly source: string
  readonly children?: readonly InlineNode[]
  write(scope: WriteScope): string
}

export type Emit = (start: number, end: number, node: InlineNode) => void

/**
 * One inline rule of the dialect. Rules run one after the other over the whole text, as precedence
 * demands: what an earlier rule has taken, a later one sees as a single closed mark.
 */
export type InlineRule = {
  readonly name: string
  /** Needs one of the characters that `parse-inline.ts` looks for before it asks any rule. */
  readonly needsMarkup: boolean
  /** Cheap check that rules out most texts. */
  canMatch(text: string, settings: InlineSettings): boolean
  scan(fragment: Fragment, scope: InlineScope, emit: Emit): void
}
