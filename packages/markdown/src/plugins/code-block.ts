import type { BlockState, RenderEnv } from '../block-state.ts'
import { type BlockToken, pushToken } from '../block-token.ts'
import { escapeCodeBlock } from '../escape.ts'
import { detectLanguage } from '../highlight/detect-language.ts'
import { highlightCost } from '../highlight/highlight-cost.ts'
import { findLanguage } from '../highlight/language-names.ts'

export function pushCode(state: BlockState, content: string, language: string): void {
  const token = pushToken(state, 'code_block', 'div', 0)
  token.content = content
  token.info = language
}

/** Writes a code block. The language determines the colours and does not appear in the HTML. */
export function writeCodeBlockHtml(token: BlockToken, env: RenderEnv): string {
  const { language, code } = detectLanguage(token.content, token.info)
  const text = withoutEdges(code)
  const highlighted = language === '' ? undefined : highlightWithinBudget(text, language, env)
  const html = highlighted ?? escapeCodeBlock(text)
  return `<div class="codehilite"><pre><span></span><code>${html}\n</code></pre></div>`
}

function highlightWithinBudget(code: string, language: string, env: RenderEnv): string | undefined {
  const cost = highlightCost(code, language)
  if (cost > env.highlightBudget) return undefined
  env.highlightBudget -= cost
  const html = env.highlight?.highlight(code, language)
  const canBeLoaded = findLanguage(language) !== undefined && !env.highlight?.knows(language)
  if (canBeLoaded) env.write.findings.missingLanguages.add(language)
  return html
}

function withoutEdges(code: string): string {
  const lines = code.split('\n').map((line) => line.trimEnd())
  while (lines.length > 0 && lines[0] === '') lines.shift()
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return lines.join('\n')
}
