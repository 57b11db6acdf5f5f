import { escapeInlineCode, escapeText } from '../escape.ts'
import type { WriteScope } from '../inline/node.ts'

/**
 * Maximum number of TeX characters that are rendered in one message. Further formulas are shown
 * as source.
 */
const mathBudgetPerMessage = 1500
const overheadPerFormula = 20

/** Fewer characters of HTML than a character of TeX usually becomes. */
const htmlPerTexCharacter = 20

/** Returns the number of TeX characters to render. More would not fit into the HTML. */
export const mathBudgetFor = (maxHtmlCharacters: number): number =>
  Math.min(mathBudgetPerMessage, Math.floor(maxHtmlCharacters / htmlPerTexCharacter))

export function writeInlineMath(tex: string, scope: WriteScope): string {
  const html = renderWithinBudget(tex, false, scope)
  return html === undefined ? `<span class="tex-error">$$${escapeText(tex)}$$</span>` : html
}

export function writeDisplayMath(tex: string, scope: WriteScope): string {
  const html = renderWithinBudget(tex, true, scope)
  return html === undefined ? `<span class="tex-error">${escapeInlineCode(tex)}</span>` : html
}

function renderWithinBudget(tex: string, display: boolean, scope: WriteScope): string | undefined {
  const cost = tex.length + overheadPerFormula
  if (cost > scope.mathBudget) return undefined
  scope.mathBudget -= cost
  if (!scope.math) {
    scope.findings.missingMath = true
    return undefined
  }
  return scope.math.render(tex, display)
}
