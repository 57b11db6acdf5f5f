import type katex from 'katex'
import type { MathEngine } from './engine.ts'
import { checkMathHtml } from './math-html.ts'

const limits = {
  /** Maximum length of a formula. Real formulas are shorter; a longer one is more likely an attack. */
  sourceLength: 1000,
  htmlLength: 40_000,
  /** Maximum number of macro expansions, so that a macro that doubles its output stops early. */
  expansions: 300,
  /** Maximum size in em. Larger sizes in a formula are reduced to it. */
  size: 20,
}

/**
 * Letters of the scripts that KaTeX can measure, and the blocks of mathematical signs. KaTeX logs a
 * warning for each other character, and senders must not be able to fill the log.
 */
const measurable =
  /^[\n\x20-\x7e\xa0-\u024f\u0370-\u03ff\u0400-\u04ff\u2010-\u2027\u2030-\u205e\u2070-\u209c\u2100-\u23ff\u25a0-\u25ff\u27c0-\u27ff\u2900-\u2aff\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/

/** The `katex` module is passed as an argument, so that this file does not load it. */
function createKatexEngine(module: Pick<typeof katex, 'renderToString'>): MathEngine {
  return {
    render(tex, display) {
      if (tex.length > limits.sourceLength || !measurable.test(tex)) return undefined
      try {
        const html = module.renderToString(tex, {
          displayMode: display,
          throwOnError: true,
          trust: false,
          strict: 'ignore',
          maxExpand: limits.expansions,
          maxSize: limits.size,
        })
        return html.length > limits.htmlLength ? undefined : checkMathHtml(html, !display)
      } catch {
        return undefined
      }
    },
  }
}

export async function loadMathEngine(): Promise<MathEngine> {
  const { default: module } = await import('katex')
  return createKatexEngine(module)
}
