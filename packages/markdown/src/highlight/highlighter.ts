/** The interface to highlight.js. A browser loads it, and each language, on first use. */
export type Highlighter = {
  /** Returns whether the language is loaded, under any of its names. */
  knows(language: string): boolean
  /**
   * Returns HTML with the dialect's short classes. Returns undefined if the language is not loaded
   * or the code is too long to highlight.
   */
  highlight(code: string, language: string): string | undefined
}
