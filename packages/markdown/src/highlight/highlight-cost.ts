import { findLanguage } from './language-names.ts'

/** Highlighting budget of one message, in characters of a language with a fast grammar. */
export const highlightBudgetPerMessage = 4000

/**
 * Cost per character for grammars that look ahead at much of the remaining text at every step, so
 * that twice the code takes four times as long. Measured with the slowest texts that were found.
 */
const weights: { readonly [language: string]: number } = {
  bash: 2,
  c: 2,
  clojure: 2,
  cpp: 2,
  csharp: 4,
  erlang: 2,
  graphql: 2,
  ini: 2,
  javascript: 2,
  lisp: 2,
  markdown: 2,
  perl: 2,
  powershell: 2,
  r: 2,
  ruby: 2,
  scheme: 2,
  sql: 2,
  swift: 2,
  typescript: 2,
  x86asm: 2,
  yaml: 2,
}

export function highlightCost(code: string, language: string): number {
  return code.length * (weights[findLanguage(language) ?? ''] ?? 1)
}
