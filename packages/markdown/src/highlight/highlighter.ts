/** The interface to highlight.js. A browser loads it, and each language, when first needed. */
export type Highlighter = {
  /** Returns whether the language name is known, even if nothing is coloured. */
  knows(language: string): boolean
  /** Returns HTML with the dialect's short classes, or undefined for an unknown language. */
  highlight(code: string, language: string): string | undefined
}
